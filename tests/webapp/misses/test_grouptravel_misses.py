"""What sessions of GroupTravelBench lost: recorded ones, and the same with other plans, tables and worlds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from benchmark.core.events import (
    CRASHES,
    EventBody,
    MessagePosted,
    PlanProposed,
    SessionFinished,
    ToolCalled,
    ToolReturned,
)
from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.events import CardDealt, TableInferred
from benchmark.suites.grouptravel.scoring.catalogue import Catalogue
from tests.webapp.misses.conftest import FindMisses
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session

pytestmark = pytest.mark.django_db
LoadSession = Callable[..., Session]


def causes(misses: Any, metric: str = "gu") -> Counter[str]:
    return Counter(miss.cause for miss in misses if miss.metric == metric)


def with_plan(session: Session, edit: Callable[[dict[str, Any]], None]) -> Callable[[EventBody], EventBody]:
    """Has the agent propose another plan."""
    (plan,) = [event.body.plan for event in whole_log(session.pk) if isinstance(event.body, PlanProposed)]
    plan = json.loads(json.dumps(plan))
    edit(plan)
    text = f"```json\n{json.dumps(plan, ensure_ascii=False)}\n```"

    def change(body: EventBody) -> EventBody:
        if isinstance(body, PlanProposed):
            return body.model_copy(update={"plan": plan})
        if isinstance(body, MessagePosted) and body.has_plan:
            return body.model_copy(update={"content": text})
        return body

    return change


def drop_all(kind: str) -> Callable[[dict[str, Any]], None]:
    def edit(plan: dict[str, Any]) -> None:
        for day in plan["days"]:
            for block in day["city_segments"]:
                if "activities" in block:
                    block["activities"] = [one for one in block["activities"] if one["type"] != kind]

    return edit


def test_a_wish_that_was_said_and_is_not_in_the_plan_was_dropped(
    recorded_session: LoadSession, find_misses: FindMisses
) -> None:
    session = recorded_session("easy")
    first, second = (miss for miss in find_misses(session) if miss.metric == "gu")
    assert (first.who, first.item, first.cause, first.points) == (
        "User2",
        "小吃快餐 (苏州市)",
        "dropped",
        0.5,
    )
    said, planned = (event for event in whole_log(session.pk) if event.seq in first.seqs)
    assert (
        isinstance(said.body, MessagePosted) and said.body.role == "User2" and "小吃快餐" in said.body.content
    )
    assert isinstance(planned.body, MessagePosted) and planned.body.has_plan
    assert second.who == "User1"


def test_what_somebody_else_would_not_have_was_traded_away(
    recorded_session: LoadSession, find_misses: FindMisses
) -> None:
    session = recorded_session("medium")
    misses = find_misses(session)
    (castle,) = [miss for miss in misses if miss.kind == "attractions.must_visit"]
    assert (castle.who, castle.item, castle.cause, castle.points) == (
        "User3",
        "杭州宋城 (杭州市)",
        "traded",
        0.5,
    )
    splits = [miss for miss in misses if miss.kind == "split"]
    figures = session.scores.get(profile="published").figures
    assert sum(miss.points for miss in splits) == pytest.approx(figures["split_penalty"] / 4)


def test_lost_points_are_those_that_a_plan_would_have_earned(
    recorded_session: LoadSession, find_misses: FindMisses
) -> None:
    """Without sights a plan misses every sight that a traveller named."""
    session = recorded_session("easy")
    whole = find_misses(session)
    emptied = find_misses(session, with_plan(session, drop_all("attraction")))
    lost = {(miss.who, miss.kind, miss.item) for miss in emptied} - {(m.who, m.kind, m.item) for m in whole}
    must = {(who, item) for who, kind, item in lost if kind == "attractions.must_visit"}
    cards = {
        event.body.user: event.body.preference["city_specific_preferences"]
        for event in whole_log(session.pk)
        if isinstance(event.body, CardDealt)
    }
    assert must == {
        (user, f"{item} ({city})")
        for user, cities in cards.items()
        for city, wishes in cities.items()
        for item in wishes["attractions"]["must_visit"]
    }
    assert must


def test_what_nobody_asked_about_or_nobody_told_is_told_apart(
    recorded_session: LoadSession, find_misses: FindMisses
) -> None:
    session = recorded_session("models")
    assert causes(find_misses(session), "pc") == {"never_asked": 4}

    def silence(body: EventBody) -> EventBody:
        if isinstance(body, MessagePosted) and body.role != AGENT and not body.opening:
            return body.model_copy(update={"content": "…"})
        return body.model_copy(update={"table": {}}) if isinstance(body, TableInferred) else body

    found = causes(find_misses(session, silence), "pc")
    assert (
        found["not_told"] > 5
        and found["never_asked"] >= 4
        and set(found) <= {"not_told", "never_asked", "dropped"}
    )


def test_what_the_world_lacks_is_impossible(recorded_session: LoadSession, find_misses: FindMisses) -> None:
    session = recorded_session("easy")
    bare = Catalogue({"苏州市": [{"name": "x", "custom_category": "公园", "poi_type": "attractions"}]})
    emptied = with_plan(session, drop_all("attraction"))
    misses = [
        miss
        for miss in find_misses(session, emptied, world=bare)
        if miss.metric == "gu" and miss.kind.startswith(("attractions", "food")) and miss.cause != "unknown"
    ]
    assert misses and {miss.cause for miss in misses if "positive" in miss.kind or "must" in miss.kind} == {
        "impossible"
    }


def test_faults_of_a_plan_share_what_an_invalid_one_loses_and_tell_where_they_began(
    recorded_session: LoadSession, find_misses: FindMisses
) -> None:
    session = recorded_session("easy")
    assert not causes(find_misses(session), "pv")
    misses = [
        miss for miss in find_misses(session, with_plan(session, drop_all("hotel"))) if miss.metric == "pv"
    ]
    assert sum(miss.points for miss in misses) == pytest.approx(1)
    (hotel,) = [miss for miss in misses if miss.kind == "missing_hotel"]
    (proposed,) = [
        e.seq for e in whole_log(session.pk) if isinstance(e.body, MessagePosted) and e.body.has_plan
    ]
    assert (hotel.cause, hotel.began) == ("inconsistent", proposed)


def test_a_fault_after_a_failed_call_about_the_same_place_names_the_call(
    recorded_session: LoadSession, find_misses: FindMisses
) -> None:
    session = recorded_session("easy")
    place = ""

    def close(plan: dict[str, Any]) -> None:
        nonlocal place
        for day in plan["days"]:
            for block in day["city_segments"]:
                for one in block.get("activities", ()):
                    if one["type"] == "food" and not place:
                        place = one["location"]
                        del one["avg_cost"]

    change = with_plan(session, close)
    assert [(m.cause, m.failures) for m in find_misses(session, change) if m.kind == "missing_avg_cost"] == [
        ("not_kept", ())
    ]
    calls: list[str] = []

    def fail(body: EventBody) -> EventBody:
        if isinstance(body, ToolCalled) and not calls:
            calls.append(body.call_id)
            return body.model_copy(update={"arguments": {"name": place}})
        if isinstance(body, ToolReturned) and body.call_id in calls:
            return body.model_copy(update={"error_kind": "arguments"})
        return change(body)

    (miss,) = [miss for miss in find_misses(session, fail) if miss.kind == "missing_avg_cost"]
    assert miss.cause == "tool_failed" and [failure.kind for failure in miss.failures] == ["arguments"]


def test_a_session_that_crashed_lost_every_wish(
    recorded_session: LoadSession, find_misses: FindMisses
) -> None:
    session = recorded_session("easy")

    def crash(body: EventBody) -> EventBody:
        return body.model_copy(update={"reason": CRASHES[0]}) if isinstance(body, SessionFinished) else body

    misses = find_misses(session, crash)
    assert causes(misses) == {"no_plan": len(misses) - 1} and len(misses) > 5
    assert causes(misses, "pv") == {"no_plan": 1}
