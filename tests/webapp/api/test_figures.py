"""Reports, judgements and labels: the figures of pages and commands, and labels that stay blind."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from tests.labelling import finished_session
from tests.webapp.api.conftest import Program, check_refusal
from tests.webapp.reports.conftest import judge, make_run, played_run
from webapp.catalogue.models import Task, World
from webapp.judging.models import Rater
from webapp.labelling.models import Label, LabelItem, LabelStudy
from webapp.sessions.models import Run

__all__ = ["judge", "make_run", "played_run"]
pytestmark = pytest.mark.django_db


def test_a_report_is_that_of_the_page_and_of_the_command(
    program: Program, played_run: Run, as_researcher: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    told = program.get("reports", {"runs": played_run.pk})
    assert told == as_researcher.get(f"/reports/report.json?runs={played_run.pk}").json()
    call_command("report", played_run.pk, "--format", "json")
    assert told == json.loads(capsys.readouterr().out)
    table = program.get("reports/main_results", {"runs": played_run.pk})
    assert table["rows"] == told["parts"]["main_results"]["rows"] != []
    page = as_researcher.get(f"/reports/?runs={played_run.pk}").content.decode()
    assert len(table["words"]) == len(table["rows"])
    for words in table["words"]:
        assert len(words) == len(table["columns"]) == len(table["rows"][0]) > 5
        assert all(word.split(" (")[0] in page for word in words[1:])


def test_a_report_that_can_t_be_made_says_why(program: Program, played_run: Run) -> None:
    for given, where in (
        ({}, "runs"),
        ({"runs": "none"}, "runs"),
        ({"runs": played_run.pk, "profile": "none"}, "runs"),
        ({"runs": played_run.pk, "judge": "nobody"}, "judge"),
        ({"runs": played_run.pk, "colour": "red"}, "colour"),
    ):
        told = check_refusal(program.ask("reports", given), 422, "unfit")
        assert told["problems"][0]["where"] == where
    check_refusal(program.ask("reports/none", {"runs": played_run.pk}), 404, "unknown", "main_results")


def test_judgements(program: Program, played_run: Run, judge: Callable[..., None]) -> None:
    first, second = played_run.sessions.all()[:2]
    judge(first, 4)
    judge(second, 2, by="mild")
    every = program.lines("judgements", {"run": played_run.pk})
    assert [(each["session"], each["judge"]) for each in every] == [(first.pk, "strict"), (second.pk, "mild")]
    assert program.pages("judgements", {"limit": 1}) == every
    assert [each["session"] for each in program.lines("judgements", {"judge": "mild"})] == [second.pk]
    assert set(every[0]["scores"].values()) == {4} and every[0]["meta_score"] == 5


@pytest.fixture
def label(starter_tasks: list[Task], starter_world: World) -> Label:
    """Of a person whose name is told to nobody, in a blind study that is open."""
    task = starter_tasks[0]
    left, right = (finished_session(task, starter_world, agent=agent) for agent in ("alpha", "beta"))
    study = LabelStudy.objects.create(name="blind", status=LabelStudy.Status.OPEN)
    item = LabelItem.objects.create(
        study=study, number=1, task=task, left=left, right=right, left_agent="alpha", right_agent="beta"
    )
    rater = Rater.objects.create(name="Li Lei")
    return Label.objects.create(item=item, rater=rater, choice="left", answer={"choice": "left"})


def test_labels_stay_blind_until_their_study_is_closed(program: Program, label: Label) -> None:
    (told,) = program.lines("labels", {"study": "blind"})
    assert (told["choice"], told["rater"], told["rater_kind"]) == ("left", "R1", "person")
    hidden: Any = ("left_session", "right_session", "left_agent", "right_agent")
    assert {told[name] for name in hidden} == {None} and "Li Lei" not in str(told)
    session = label.item.left_id
    assert program.lines("labels", {"session": session}) == []
    LabelStudy.objects.update(status=LabelStudy.Status.CLOSED)
    (told,) = program.lines("labels", {"session": session})
    assert [told[name] for name in hidden] == [session, label.item.right_id, "alpha", "beta"]
    assert told["rater"] == "R1"
