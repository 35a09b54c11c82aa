"""What the pages say about the data of GroupTravelBench."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.utils.html import strip_tags
from hypothesis import given
from hypothesis import strategies as st

from benchmark.suites.grouptravel.scoring import FAULTS
from benchmark.suites.grouptravel.scoring.validity import MESSAGES
from benchmark.suites.grouptravel.tasks import STARTER, TASK_FILES
from webapp.catalogue.models import Task
from webapp.plans.messages import plan_message
from webapp.sessions.models import Session
from webapp.suites.grouptravel.tags import mentions
from webapp.suites.grouptravel.wording import issues
from webapp.suites.grouptravel.wording.fields import field_of, path_label, value_words


def test_every_issue_that_scoring_finds_has_a_sentence() -> None:
    assert set(issues._SENTENCES) == set(MESSAGES)


def test_all_that_the_published_scorer_fails_on_has_words() -> None:
    assert set(issues._FAULTS) == set(FAULTS)
    given = {"field": "plan.days[0]", "reason": "no_number"}
    assert issues.fault_words(given) == "plan.days[0]: is not a number"


@pytest.mark.parametrize("key", sorted(MESSAGES))
def test_a_sentence_uses_only_what_the_issue_tells(key: str) -> None:
    told = set(re.findall(r"\{(\w+)\}", MESSAGES[key])) | {"place", "user", "hotel"}
    assert set(re.findall(r"%\((\w+)\)s", str(issues._SENTENCES[key]))) <= told


def test_what_befalls_several_alike_is_one_line() -> None:
    issue: dict[str, Any] = {
        "type": "missing_intracity_transport",
        "day": 2,
        "segment": 0,
        "activity": 3,
        "location": "平江路",
        "message": {"key": "no_transport", "params": {"position": "得月楼"}},
    }
    lines = issues.issue_lines([{**issue, "users": ["User3"]}, {**issue, "users": ["User4"]}])
    assert [line.whole for line in lines] == ["Day 2, 平江路: no transport from 得月楼 for User3, User4"]


@given(st.text())
def test_any_text_can_be_taken_apart_as_a_message_with_a_plan(text: str) -> None:
    assert set("".join(plan_message(text))) <= set(text)


@given(
    st.lists(st.sampled_from(["@User1", "@User12", "@Agent", "<b>", '"', "&amp;", " ", "你好", "</span>"]))
)
def test_marking_mentions_changes_no_text_and_lets_no_markup_through(words: list[str]) -> None:
    text = "".join(words)
    html = mentions(text, Session(pk="talked", task=Task(definition=TASK_FILES.whole(STARTER[0])[0].raw)))
    assert unescape(strip_tags(html)) == text
    assert html.count("<span") == html.count("</span>") == html.count('class="mention ')


def test_paths_are_read_back_into_words() -> None:
    assert path_label("global_constraints.transport.must") == "transport must"
    assert path_label("city_specific_preferences.苏州市.food.must_eat") == "苏州 must eat"
    assert path_label("city_specific_preferences.a.b.food.must_eat") == "a.b must eat"
    assert path_label("avg_budget") == "avg_budget"
    caps = [f"global_constraints.intensity.{cap}" for cap in ("max_poi_per_day", "max_active_hours")]
    assert [path_label(path) for path in caps] == ["sights per day", "hours per day"]
    assert field_of("nonsense") == (None, "")
    assert value_words(3500) == "3,500"
    assert value_words(["a", 2]) == "a、2"


def test_money_is_told_as_money() -> None:
    field, _city = field_of("global_constraints.avg_budget")
    assert value_words(3800, field) == "¥3,800"
