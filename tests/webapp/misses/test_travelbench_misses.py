"""What sessions of TravelBench lost: recorded ones that a judge rated, and the same with other words and calls."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from benchmark.core.events import EventBody, ToolCalled, ToolReturned
from benchmark.core.view import AGENT
from benchmark.suites.base import RubricMeans
from benchmark.suites.travelbench.events import MessagePosted
from benchmark.suites.travelbench.modes import UNSOLVED_MARK
from tests.webapp.misses.conftest import FindMisses
from webapp.sessions.models import Session

pytestmark = pytest.mark.django_db
LoadSession = Callable[..., Session]
Change = Callable[[EventBody], EventBody]


def ratings_of(score: float, **ratings: float) -> dict[str, RubricMeans]:
    return {"": RubricMeans(ratings, score)}


def saying(words: str, user: str | None = None) -> Change:
    """Has the agent say this whenever it speaks, and its user too after the query."""

    def change(body: EventBody) -> EventBody:
        if not isinstance(body, MessagePosted) or body.opening:
            return body
        said = words if body.role == AGENT else user
        return body if said is None else body.model_copy(update={"content": said})

    return change


def refusing(body: EventBody) -> EventBody:
    """Has the tools refuse every call."""
    return body.model_copy(update={"error_kind": "arguments"}) if isinstance(body, ToolReturned) else body


def test_a_session_that_no_judge_rated_lost_nothing_that_is_known(
    recorded_session: LoadSession, find_misses: FindMisses
) -> None:
    (miss,) = find_misses(recorded_session("travelbench_single"))
    assert (miss.metric, miss.cause, miss.points) == ("judge", "unjudged", 0.0)


@pytest.mark.parametrize("name", ["travelbench_single", "travelbench_multi"])
@pytest.mark.parametrize("change", [lambda body: body, refusing, saying("123456 元"), saying("")])
def test_points_are_those_that_the_judges_score_lacks(
    name: str, change: Change, recorded_session: LoadSession, find_misses: FindMisses
) -> None:
    ratings = {"reasoning_planning": 3.0, "summarization_extraction": 4.0, "presentation": 5.0}
    if name == "travelbench_multi":
        ratings["user_interaction"] = 2.0
    misses = find_misses(recorded_session(name), change, ratings=ratings_of(12.5, **ratings))
    own = [miss for miss in misses if miss.metric == "judge"]
    assert sum(miss.points for miss in own) == pytest.approx(100 - 12.5)
    by_kind = {kind: sum(m.points for m in own if m.kind == kind) for kind in {m.kind for m in own}}
    for dimension, rating in ratings.items():
        assert by_kind.get(dimension, 0.0) == pytest.approx(100 * (5 - rating) / 4 / len(ratings))


def test_what_a_judge_marks_down_is_explained_by_the_log(
    recorded_session: LoadSession, find_misses: FindMisses
) -> None:
    low = ratings_of(0.0, reasoning_planning=1, summarization_extraction=1, presentation=1)
    session = recorded_session("travelbench_single")

    def causes(change: Change = lambda body: body) -> dict[str, str]:
        misses = find_misses(session, change, ratings=low)
        return {miss.kind: miss.cause for miss in misses if miss.metric == "judge"}

    assert causes()["presentation"] == "judged"
    assert causes(saying("987654 元"))["summarization_extraction"] == "unsourced"
    assert causes(refusing)["reasoning_planning"] == "tool_failed"
    (errors,) = [
        miss
        for miss in find_misses(session, refusing, ratings=ratings_of(0.0, presentation=3))
        if miss.kind == "tool_errors"
    ]
    assert (errors.cause, errors.points) == ("tool_failed", 50.0) and errors.failures
    assert set(causes(saying("")).values()) == {"no_answer"}


def test_a_session_that_was_not_rated_since_it_crashed_lost_everything(
    recorded_session: LoadSession, find_misses: FindMisses
) -> None:
    misses = find_misses(recorded_session("travelbench_single"), ratings=ratings_of(0.0))
    assert [(m.kind, m.cause, m.points) for m in misses] == [("score", "no_answer", 100.0)]


def test_what_was_meant_and_never_asked_about_is_named(
    recorded_session: LoadSession, find_misses: FindMisses
) -> None:
    low = ratings_of(0.0, user_interaction=1)
    session = recorded_session("travelbench_multi")

    def interaction(change: Change = lambda body: body) -> set[str]:
        return {
            miss.cause
            for miss in find_misses(session, change, ratings=low)
            if miss.kind == "user_interaction"
        }

    assert interaction(saying("好的。", "…")) == {"never_asked"}
    assert interaction(saying("您想什么时候出发？")) == {"repeated"}


def test_an_unsolvable_task_that_was_not_recognised(
    recorded_session: LoadSession, find_misses: FindMisses
) -> None:
    session = recorded_session("travelbench_unsolvable")
    expected = {
        f"好的。{UNSOLVED_MARK}": [],
        "您想去哪里？": ["asked_instead"],
        "已经为您办好。": ["answered_instead"],
    }
    for words, causes in expected.items():
        misses = [m for m in find_misses(session, saying(words)) if m.metric == "unsolved"]
        assert [miss.cause for miss in misses] == causes
        assert sum(miss.points for miss in misses) == len(causes)


def test_each_refused_call_has_its_part_of_the_share(
    recorded_session: LoadSession, find_misses: FindMisses
) -> None:
    session = recorded_session("travelbench_single")

    def refuse_alike(body: EventBody) -> EventBody:
        if isinstance(body, ToolCalled):
            return body.model_copy(update={"name": "map_search_places", "arguments": {"query": "x"}})
        return refusing(body)

    misses = [miss for miss in find_misses(session, refuse_alike) if miss.metric == "error_rate"]
    assert sum(miss.points for miss in misses) == pytest.approx(1)
    assert [miss.cause for miss in misses] == ["bad_arguments", *["not_mended"] * (len(misses) - 1)]
    assert {miss.kind for miss in misses} == {"map_search_places"}
