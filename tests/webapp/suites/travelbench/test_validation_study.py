"""People check the labels of data: a yes/no study over tasks, from what they see to the interval."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils.html import escape

from benchmark.labelling.binomial import clopper_pearson
from tests.labelling import annotator_of, answer_all, make_study, vote
from tests.markup import text
from webapp.catalogue.models import Task
from webapp.labelling import blind
from webapp.labelling.blind import item_html
from webapp.labelling.items import add_tasks
from webapp.labelling.models import Kind, LabelStudy
from webapp.labelling.studies import change_study

QUESTION = "Is it right that no assistant with these tools could do this?"


@pytest.fixture(autouse=True)
def _nothing_kept() -> None:
    """Items of other tests have the same ids."""
    blind._pages.clear()


@pytest.fixture
def study(shipped_tasks: dict[str, Task]) -> LabelStudy:
    """Ten unsolvable tasks, three annotators each."""
    made = make_study(Kind.BINARY, suite="travelbench", question_en=QUESTION, per_item=3)
    unsolved = Task.objects.filter(suite="travelbench", facets__subtask="unsolved")
    assert add_tasks(study=made, tasks=unsolved, size=10) == 10
    return made


def page_of(study: LabelStudy) -> tuple[Task, str]:
    """The task of the first item, and the item as annotators see it."""
    item = study.items.select_related("task", "study").first()
    assert item is not None
    return item.task, item_html(item, swapped=False)


def test_annotators_see_what_an_assistant_is_told_and_no_label(study: LabelStudy) -> None:
    task, page = page_of(study)
    told = task.definition
    assert escape(told["query"]) in page and told["time"] in page and "web_search" in page
    assert escape(told["intent"]) not in page and "missing_" not in page and "no_actionable" not in page


def test_markup_in_a_task_is_shown_as_text_and_the_profile_not_at_all(hostile: Task) -> None:
    made = make_study(Kind.BINARY, suite="travelbench", question_en=QUESTION)
    add_tasks(study=made, tasks=Task.objects.filter(pk=hostile.pk))
    _, page = page_of(made)
    assert "<script" not in page and "&lt;script" in page
    assert "### 基本信息" not in page


def test_a_study_may_show_the_profile(hostile: Task) -> None:
    made = make_study(Kind.BINARY, suite="travelbench", question_en=QUESTION)
    add_tasks(study=made, tasks=Task.objects.filter(pk=hostile.pk))
    hidden = page_of(made)[1]
    profile = hostile.parsed_definition.user_profile
    assert profile and "Profile of the user" not in hidden
    change_study(study=made, show_profile=True)
    task, page = page_of(made)
    assert "Profile of the user" in page and escape(profile) in page
    assert "<script" not in page and escape(task.definition["intent"]) not in page


def test_no_profile_is_shown_where_there_is_none(study: LabelStudy) -> None:
    change_study(study=study, show_profile=True)
    assert "Profile of the user" not in page_of(study)[1]


@pytest.mark.django_db(transaction=True)
def test_their_votes_come_to_an_interval(study: LabelStudy, tmp_path: Path) -> None:
    for name, firsts in (("one", []), ("two", ["no"]), ("three", ["no"])):
        answer_all(annotator_of(study, name), firsts, "yes")
    labels, out = tmp_path / "labels.csv", StringIO()
    call_command("export_labels", study.pk, "--format", "csv", "--out", str(labels), stdout=StringIO())
    call_command("make_tasks", "travelbench", "confirm", str(labels), "--json", stdout=out, stderr=StringIO())
    told = json.loads(out.getvalue())
    assert told["items"] == 10 and told["confirmed"] in (9, 10) and not told["undecided"]
    assert sum(one["items"] for one in told["votes"] if one["yes"] >= 2) == told["confirmed"]
    assert told["interval"] == list(clopper_pearson(told["confirmed"], 10) or ())


@pytest.mark.django_db
def test_the_study_s_page_tells_the_votes_and_the_interval(as_researcher: Client, study: LabelStudy) -> None:
    """As tables 11 to 13 of the paper do."""
    vote(study, dict.fromkeys(range(1, 8), "YYY") | {8: "YYO", 9: "YOO", 10: "YO"})
    page = text(as_researcher.get(f"/labelling/{study.pk}/statistics/"))
    assert "The majority says yes to 8 of 9: 88.9 %, exact 95 % interval 51.8 – 99.7 %." in page
    assert "1 without a majority, left out" in page
    rows = [
        (one["of"], one["value"]) for one in _lines(as_researcher, study) if one["statistic"] == "yes_votes"
    ]
    assert rows[:4] == [("3/3", 7), ("2/3", 1), ("1/3", 1), ("0/3", 0)]
    share = next(one for one in _lines(as_researcher, study) if one["statistic"] == "confirmed")
    assert (share["value"], share["items"]) == (8 / 9, 9)


def _lines(client: Client, study: LabelStudy) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = client.get(f"/labelling/{study.pk}/statistics.json").json()["statistics"]
    return told
