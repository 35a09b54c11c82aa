"""Pairs of a benchmark whose agents answer in words: what pages, models and files hold of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import translation

from tests.labelling import add_item, make_study, vote
from webapp.endpoints.services import create_endpoint
from webapp.forms import ChoiceRefused
from webapp.judging.models import Rater
from webapp.labelling import comparing
from webapp.labelling.annotating import examples_of
from webapp.labelling.blind import item_html
from webapp.labelling.cases import NothingToCompare, shown_cases
from webapp.labelling.files import parts
from webapp.labelling.guidelines import choice_words, guidelines_html, question_of
from webapp.labelling.items import ItemRequest, add_from_runs, choose
from webapp.labelling.models import Kind, LabelItem, LabelStudy
from webapp.sessions.models import Event, Run, Session

pytestmark = pytest.mark.django_db
LoadSession = Callable[[str], Session]
QUESTION, REPLY = "请问您具体想找什么", "一家三口在新街口附近吃午饭"
"""Of the recorded session of several turns: what the agent asks first, and what the user says to it."""


@pytest.fixture
def item(recorded_session: LoadSession) -> LabelItem:
    """A pair of one recorded session of several turns and another whose last answer is another."""
    _first, left, right = (
        recorded_session("travelbench_multi") for _ in range(3)
    )  # later ones have ids of their own
    last = Event.objects.filter(session=right, type="message_posted", actor="Agent").latest("seq")
    Event.objects.filter(pk=last.pk).update(payload={**last.payload, "content": "只有一家：绿柳居。"})
    study = make_study(suite="travelbench")
    return add_item(study, left.task, left, right, left_agent="one", right_agent="other")


def silence_agents(item: LabelItem) -> LabelItem:
    """The same pair, in which no agent ever said anything."""
    sessions = (item.left, item.right)
    Event.objects.filter(session__in=sessions, type="message_posted", actor="Agent").delete()
    return item


def rows_of(study: LabelStudy, format_: str) -> Any:
    text = b"".join(parts(study, format_)).decode()
    return json.loads(text) if format_ == "label-studio" else [json.loads(line) for line in text.splitlines()]


def test_speakers_are_named_in_the_language_of_the_page(item: LabelItem) -> None:
    with translation.override("zh-hans"):
        page = " ".join(item_html(item, swapped=False).split())
    assert '<span class="who"> 助手 </span>' in page and '<span class="who"> 用户 </span>' in page
    assert "> Agent <" not in page and "> User <" not in page


def test_annotators_read_the_whole_exchange_of_several_turns(item: LabelItem) -> None:
    page = item_html(item, swapped=False)
    for words in (QUESTION, REPLY, "绿柳居"):
        assert page.count(words) >= 2 - (words == "绿柳居")
    assert "Answer A" in page and "Plan A" not in page and "Finish Conversation" not in page


def test_one_answer_is_shown_as_it_is(recorded_session: LoadSession) -> None:
    session = recorded_session("travelbench_single")
    page = item_html(add_item(make_study(suite="travelbench"), session.task, session, session), swapped=False)
    assert page.count("last-words") == 2 and "exchange" not in page


def test_models_compare_what_annotators_read(item: LabelItem) -> None:
    left, right = shown_cases(item)
    assert left.language == "zh"
    assert (
        left.request == right.request
        and item.task.query in left.request
        and "map_search_places" in left.request
    )
    assert QUESTION in left.answer and REPLY in left.answer and "南京大牌档" in left.answer
    assert right.answer.endswith("只有一家：绿柳居。")
    profile = Event.objects.get(session=item.left, type="intent_dealt").payload["profile"]
    assert profile not in left.request + left.answer


def test_files_hold_the_answers(item: LabelItem) -> None:
    vote(item.study, {1: "LLR"})
    [task] = rows_of(item.study, "label-studio")
    assert QUESTION in task["data"]["plan_a"] and task["data"]["plan_b"].endswith("只有一家：绿柳居。")
    [row] = rows_of(item.study, "preferences")
    assert "南京大牌档" in row["chosen"] and row["rejected"].endswith("只有一家：绿柳居。")
    assert item.task.query in row["prompt"]
    [row] = rows_of(item.study, "conversations")
    assert [one["role"] for one in row["chosen"]] == ["assistant", "user", "assistant"]
    assert row["rejected"][-1] == {"role": "assistant", "content": "只有一家：绿柳居。"}


def test_words_of_the_pages_speak_of_answers(item: LabelItem) -> None:
    study = item.study
    assert question_of(study, "en") == "Which answer is better?"
    assert [words for _value, _key, words in choice_words(study)][:2] == [
        "Answer A is better",
        "Answer B is better",
    ]
    assert "two answers" in guidelines_html(study, "en") and "两份回答" in guidelines_html(study, "zh")
    assert not examples_of(study)


def test_pairs_that_say_the_same_are_passed_over(recorded_session: LoadSession) -> None:
    runs = [Run.objects.create(name=name, setup={"agent": name}) for name in ("one", "other")]
    for run in runs:
        session = recorded_session("travelbench_single")
        Session.objects.filter(pk=session.pk).update(run=run, agent=run.name, status="finished")
    study = make_study(suite="travelbench")
    assert (len(choose(study, ItemRequest(runs))), choose(study, ItemRequest(runs)).alike) == (0, 1)
    assert len(add_from_runs(study=study, wanted=ItemRequest(runs, differing=False))) == 1


# --- nothing to compare


def test_a_model_is_not_asked_about_pairs_without_an_answer(item: LabelItem) -> None:
    study = silence_agents(item).study
    endpoint = create_endpoint(name="rater", base_url="http://127.0.0.1:9/v1", model="m")
    with pytest.raises(ChoiceRefused, match="There is nothing to compare"):
        comparing.start_comparison(study=study, endpoint=endpoint, method="pairwise")
    assert not Rater.objects.exists()
    with pytest.raises(NothingToCompare, match="neither side"):
        shown_cases(item)


def test_preference_pairs_of_nothing_are_refused_with_what_was_left_out(
    item: LabelItem, as_researcher: Client, tmp_path: Any
) -> None:
    study = silence_agents(item).study
    vote(study, {1: "LLL"})
    out = tmp_path / "pairs.jsonl"
    with pytest.raises(
        CommandError, match=r"no preference pair: 0 without .*, 1 without an answer on both sides"
    ):
        call_command("export_labels", study.pk, format="preferences", out=out, stdout=StringIO())
    assert not out.exists()
    page = as_researcher.get(reverse("label_file", args=[study.pk, "preferences"]), follow=True)
    assert "has no preference pair" in page.content.decode()


def test_the_page_says_what_preference_pairs_leave_out(item: LabelItem, as_researcher: Client) -> None:
    add_item(item.study, item.task, item.left, item.right)
    page = as_researcher.get(reverse("label_files", args=[item.study.pk])).content.decode()
    assert "0 pairs can be exported" in page and "2 without a majority or a decision" in page


@pytest.mark.parametrize("kind", [Kind.PAIRWISE, Kind.RUBRIC])
def test_who_reads_plans_for_one_traveller_is_told_of_no_group(kind: Kind) -> None:
    study = LabelStudy(suite="tripscore", kind=kind)
    told = [question_of(study, "en"), *(guidelines_html(study, language) for language in ("en", "zh"))]
    assert not any(group in text for text in told for group in (" group", "这群人", "与一群人"))
