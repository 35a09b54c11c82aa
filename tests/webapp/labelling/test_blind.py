"""What of an item leaves the server: plans alike, differences in words, and nothing of who made them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.utils import translation

from benchmark.labelling.blinding import MASK
from tests.labelling import add_item, finished_session, make_study, plan_of
from webapp.catalogue.models import Task, World
from webapp.endpoints.services import create_endpoint
from webapp.labelling.blind import item_html, names_of, shown_item
from webapp.labelling.cases import shown_cases
from webapp.labelling.guidelines import default_guidelines, markdown_html
from webapp.labelling.models import Kind, LabelItem
from webapp.pages import LabelPage, Pages
from webapp.sessions.log import FORGETTING
from webapp.sessions.models import Session

AGENTS = ("quick-planner-7b", "slow-planner-70b")


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    yield
    for forget in FORGETTING:
        forget()


@pytest.fixture
def item(task: Task, starter_world: World) -> LabelItem:
    """A pair whose plans differ in the first sight."""
    sessions = [finished_session(task, starter_world, agent=name) for name in AGENTS]
    return add_item(make_study(show_chat=True), task, *sessions)


def stops(shown: Any) -> list[list[str]]:
    """The names of each side's stops."""
    return [[stop.stop.name for day in row if day for stop in day.stops] for row in zip(*shown.plans["days"])]  # noqa: B905


def test_a_swapped_item_has_its_sides_the_other_way_round(item: LabelItem) -> None:
    as_is, swapped = shown_item(item, blind=False), shown_item(item, swapped=True, blind=False)
    assert [side.letter for side in as_is.sides] == [side.letter for side in swapped.sides] == ["A", "B"]
    assert stops(as_is)[0][0] == "quick-planner-7b 公园"
    assert stops(as_is) == stops(swapped)[::-1]


def test_names_are_masked_in_plans_and_talk_unless_researchers_look(task: Task, starter_world: World) -> None:
    session = finished_session(
        task, starter_world, agent=AGENTS[0], said=f"I am {AGENTS[0]}.\n\n# Day 1 ☀\n**西湖**"
    )
    item = add_item(make_study(Kind.RUBRIC), task, session)
    (blind,), (seen,) = shown_item(item).sides, shown_item(item, blind=False).sides
    assert blind.chat is not None and seen.chat is not None
    assert blind.chat[-1].words == f"I am {MASK}.\n\nDay 1\n西湖"
    assert AGENTS[0] in seen.chat[-1].words
    assert stops(shown_item(item))[0][0] == f"{MASK} 公园"


def test_every_model_of_the_installation_is_a_name_to_mask(item: LabelItem) -> None:
    create_endpoint(name="house", base_url="http://x.test/v1", model="maker/some-model")
    assert {*AGENTS, "house", "maker/some-model"} <= names_of(item)


def test_a_models_json_is_not_shown_with_its_words(task: Task, starter_world: World) -> None:
    said = 'Here it is:\n```json\n{"days": [{"day": 1}]}\n```\nEnjoy!'
    item = add_item(make_study(show_chat=True), task, finished_session(task, starter_world, said=said))
    (side,) = shown_item(item).sides
    assert side.chat is not None
    assert side.chat[-1].words == "Here it is:\n(the plan)\nEnjoy!"


def test_what_differs_is_told_in_words(task: Task, starter_world: World) -> None:
    plans = [plan_of(task, place="西湖"), plan_of(task, place="雷峰塔")]
    first, second = (plan["days"] for plan in plans)
    moved = second[1]["city_segments"][0]["activities"].pop()
    second[0]["city_segments"][0]["activities"].append({**moved, "start_time": "15:00", "end_time": "16:00"})
    second[0]["city_segments"][0]["activities"][1]["start_time"] = "11:30"
    assert first[0]["city_segments"][0]["activities"][1]["start_time"] == "12:00"
    sessions = [
        finished_session(task, starter_world, agent=f"a-{n}", plan=plan) for n, plan in enumerate(plans)
    ]
    shown = shown_item(add_item(make_study(), task, *sessions))
    left = {stop.stop.name: stop.difference for row in shown.plans["days"] if row[0] for stop in row[0].stops}
    right = {
        stop.stop.name: stop.difference for row in shown.plans["days"] if row[1] for stop in row[1].stops
    }
    assert left == {
        "西湖": "only here",
        "楼外楼": "other plan: 11:30–13:00",
        "灵隐寺": "other plan: day 1",
    }
    assert right == {
        "雷峰塔": "only here",
        "楼外楼": "other plan: 12:00–13:00",
        "灵隐寺": "other plan: day 2",
    }


def test_plans_of_different_length_and_none_at_all_stand_side_by_side(
    task: Task, starter_world: World
) -> None:
    short = plan_of(task)
    short["days"].pop()
    sessions = [
        finished_session(task, starter_world, agent="a-1"),
        finished_session(task, starter_world, agent="a-2", plan=short),
    ]
    item = add_item(make_study(), task, *sessions)
    assert [len([day for day in row if day]) for row in shown_item(item).plans["days"]] == [2, 1]
    assert "No such day in this plan." in item_html(item, swapped=False)
    Session.objects.filter(pk=sessions[1].pk).update(last_seq=3)
    item = LabelItem.objects.get(pk=item.pk)
    html = item_html(item, swapped=False)
    assert "This conversation ended without a plan." in html and "only here" not in html


def test_a_page_is_kept_by_order_and_language_until_words_are_removed(
    task: Task, starter_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans = [plan_of(task, place=place) for place in ("西湖", "雷峰塔")]
    item = add_item(make_study(), task, *(finished_session(task, starter_world, plan=plan) for plan in plans))
    pages = {item_html(item, swapped=swapped) for swapped in (False, True, False)}
    with translation.override("zh-hans"):
        pages.add(item_html(item, swapped=False))
    assert len(pages) == 3
    monkeypatch.setattr("webapp.labelling.blind.render_to_string", lambda *given: "new")
    assert item_html(item, swapped=False) != "new"
    for forget in FORGETTING:
        forget()
    assert item_html(item, swapped=False) == "new"


def test_a_benchmark_without_a_page_of_its_own_shows_what_was_asked_and_said_last(
    item: LabelItem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.labelling.blind.pages_of", lambda suite: Pages(label=LabelPage()))
    monkeypatch.setattr("webapp.labelling.blind.has_plans", lambda suite: False)
    text = item_html(item, swapped=False)
    asked = item.task.parsed_definition.initial_messages[0].content
    assert asked in text
    assert text.count('class="last-words"') == 2 and text.count("Here is the plan.") >= 2


def test_markdown_is_rendered_without_what_harms() -> None:
    html = markdown_html(
        "# A\n\n- **b** [c](https://x.test/) ![d](e.png)\n\n<iframe src=x></iframe>\n\n"
        "[f](javascript:alert(1)) <b onclick=alert(1)>g</b>\n\n| h |\n|---|\n| i |"
    )
    assert "<h3>A</h3>" in html and "<strong>b</strong>" in html and "<td>i</td>" in html
    assert re.search(r'<a href="https://x.test/" rel="[^"]*noopener', html)
    assert not re.search(r"<(img|iframe|script|b )|href=.javascript", html)


@pytest.mark.parametrize("kind", Kind.values)
def test_each_kind_has_guidelines_in_both_languages(kind: str) -> None:
    chinese, english = (default_guidelines(kind, language) for language in ("zh-hans", "en"))
    assert re.search("[\u4e00-\u9fff]", chinese) and not re.search("[\u4e00-\u9fff]", english)


def test_the_scorers_findings_are_shown_only_where_the_study_says_so(
    recorded_session: Callable[[str], Session],
) -> None:
    session = recorded_session("easy")
    study = make_study()
    item = add_item(study, session.task, session, session)
    page = item_html(item, swapped=False)
    for told in ("What each traveller gets", "wishes\n", "✓", "✗", 'class="n bad"', 'class="fill over"'):
        assert told not in page
    assert "Cost per person" in page
    study.show_ticks = True
    assert "What each traveller gets" in item_html(item, swapped=False)


def test_models_that_compare_read_the_findings_and_the_talk_where_annotators_do(
    recorded_session: Callable[[str], Session],
) -> None:
    session = recorded_session("easy")
    study = make_study()
    item = add_item(study, session.task, session, session)
    assert shown_cases(item)[0].surroundings == ""
    study.show_ticks = study.show_chat = True
    left, right = shown_cases(item)
    assert (
        left.surroundings == right.surroundings
        and session.task.parsed_definition.users[0] in left.surroundings
    )
    heads = (
        ("每位旅行者得到什么", "对话")
        if session.task.language == "zh"
        else ("What each traveller gets", "Conversation")
    )
    assert all(head in left.surroundings for head in heads)
