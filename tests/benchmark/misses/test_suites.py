"""What sessions of each benchmark lost: their points are those that the figures lack."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmark.agents.briefing import fence_plan
from benchmark.core.engine import Conversation, run
from benchmark.core.events import Event, PlanProposed, SessionStart, ToolCalled, ToolReturned
from benchmark.core.setting import AnySetting, Setting
from benchmark.core.view import AGENT
from benchmark.misses import Miss
from benchmark.suites import metrics_of, suite_named
from benchmark.suites.base import RubricMeans, fill_options
from benchmark.suites.traveleval.misses.parts import FINDERS
from benchmark.suites.traveleval.world import Tables, tables_of
from benchmark.suites.tripbench.modes import NO_ISSUE
from benchmark.suites.tripscore import tasks as tripscore
from benchmark.suites.tripscore.judging.rubrics import join_ratings
from sandbox.worlds import open_world
from tests.benchmark.suites.tripbench.talks import GOOD, LUXURY, STARS, NoTools, Speaker, talk, task_of
from tests.scale import tripscore as tripscored
from tests.scale.traveleval import break_plan, query
from tests.scale.traveleval import sound_plan as sound_eval_plan
from tests.scale.tripbench import sound_plan

Ratings = dict[str, RubricMeans]


def misses_in(suite: str, log: Sequence[Event], setting: AnySetting, ratings: Ratings = {}) -> list[Miss]:  # noqa: B006
    """What a session lost, checked against the figures that lost it."""
    scoring = suite_named(suite).scoring
    assert scoring.misses is not None
    figures: Any = json.loads(json.dumps(next(iter(scoring.score(log, setting).values())).as_json()))
    declared = scoring.misses()
    misses = list(declared.find(log, setting, figures, ratings))
    assert {miss.metric for miss in misses} <= {*declared.metrics} <= {m.key for m in metrics_of(suite)}
    seqs = {event.seq for event in log}
    for miss in misses:
        assert miss.points >= 0 and declared.cause(miss.cause).meaning, miss
        assert miss.seqs and {*miss.seqs} <= seqs, miss
        assert miss.began is None or miss.began in seqs
    return misses


def points_of(misses: Sequence[Miss], metric: str) -> float:
    return sum(miss.points for miss in misses if miss.metric == metric)


def causes_of(misses: Sequence[Miss], metric: str) -> list[tuple[str, str]]:
    return [(miss.kind, miss.cause) for miss in misses if miss.metric == metric]


@pytest.fixture(scope="module")
def starter(starter_pack: Path) -> Tables:
    return tables_of(open_world(starter_pack))


# TRIP-Bench


def trip_figures(conversation: Conversation[Any], setting: AnySetting) -> Any:
    return suite_named("tripbench").scoring.score(conversation.events, setting)["published"].as_json()


def trip_misses(conversation: Conversation[Any], setting: AnySetting) -> list[Miss]:
    misses = misses_in("tripbench", conversation.events, setting)
    figures = trip_figures(conversation, setting)
    for metric in ("loose", "strict", "strict_per_turn"):
        assert points_of(misses, metric) == pytest.approx(1 - figures[metric])
    return misses


CHANGE = {"id": "b", "behaviour": "modify", "rubric": "hotel.star", "args": {"min": 5}, "drops": ["a"]}


def test_a_change_that_the_plan_does_not_follow_is_told_from_a_wish_that_was_never_kept() -> None:
    conversation, setting = talk(task_of([{"id": "a", **STARS}], [CHANGE]), GOOD, GOOD, mode=NO_ISSUE)
    (miss,) = [miss for miss in trip_misses(conversation, setting) if miss.metric == "strict"]
    assert (miss.kind, miss.cause, miss.points) == ("hotel.star", "stale", 1.0)
    assert "5" in miss.item
    asked, replied = miss.seqs
    bodies = {event.seq: event.body for event in conversation.events}
    assert bodies[asked].role != AGENT and bodies[replied].role == AGENT
    assert miss.began == replied


def test_a_wish_that_nothing_in_the_world_meets_is_impossible() -> None:
    six = {"id": "a", "rubric": "hotel.star", "args": {"min": 6}}
    conversation, setting = talk(task_of([six]), GOOD, mode=NO_ISSUE)
    assert causes_of(trip_misses(conversation, setting), "strict") == [("hotel.star", "impossible")]


def test_a_wish_that_an_earlier_plan_kept_was_broken_later() -> None:
    worse = sound_plan()
    days = worse["trip_plan"]["daily_schedule"]
    first = next(one for day in days for one in day["activities"] if one["type"] == "Attraction")
    kept = {"id": "a", "rubric": "attraction.include_attractions", "args": {"ids": [first["id"]]}}
    for day in days:
        day["activities"] = [one for one in day["activities"] if one.get("id") != first["id"]]
    nodes = [kept], [{"id": "b", **STARS}]
    conversation, setting = talk(task_of(*nodes), GOOD, fence_plan(worse), mode=NO_ISSUE)
    misses = trip_misses(conversation, setting)
    (miss,) = [m for m in misses if m.metric == "strict" and m.kind == "attraction.include_attractions"]
    replies = [e.seq for e in conversation.events if getattr(e.body, "role", "") == AGENT]
    assert (miss.cause, miss.began, miss.seqs[1:]) == ("broken_later", replies[-1], (replies[-1], replies[0]))


def test_what_was_never_looked_up_is_told_from_what_was_heard_and_dropped() -> None:
    conversation, setting = talk(task_of([{"id": "a", **LUXURY}]), GOOD, mode=NO_ISSUE)
    misses = trip_misses(conversation, setting)
    (cause,) = {miss.cause for miss in misses if miss.kind == "hotel.hotel_type"}
    assert cause in ("not_looked_up", "impossible")


def with_calls(log: Sequence[Event], name: str, error_kind: str, result: str = "x") -> list[Event]:
    """The same log with a tool call before the first reply."""
    at = next(n for n, event in enumerate(log) if getattr(event.body, "role", "") == AGENT)
    bodies = [event.body for event in log]
    bodies[at:at] = [
        ToolCalled(call_id="c", name=name, arguments={"city": "x"}, step=1),
        ToolReturned(call_id="c", result=result, error_kind=error_kind),
    ]
    given = log[0]
    return [Event(seq, "system", "all", body, given.at) for seq, body in enumerate(bodies, 1)]


def test_a_search_that_failed_is_told_from_one_that_was_never_made() -> None:
    conversation, setting = talk(task_of([{"id": "a", **LUXURY}]), GOOD, mode=NO_ISSUE)
    for error_kind, cause in (("arguments", "tool_failed"), ("", "dropped")):
        log = with_calls(conversation.events, "search_hotels", error_kind)
        misses = misses_in("tripbench", log, setting)
        (miss,) = [miss for miss in misses if miss.metric == "strict"]
        assert (miss.kind, miss.cause) == ("hotel.hotel_type", cause)
        assert [failure.tool for failure in miss.failures] == (["search_hotels"] if error_kind else [])


def test_a_reply_without_a_plan_loses_all_to_that() -> None:
    conversation, setting = talk(task_of([{"id": "a", **STARS}]), "I can't.", mode=NO_ISSUE)
    assert causes_of(trip_misses(conversation, setting), "strict") == [("structural_validity", "no_plan")]


@pytest.mark.parametrize("seed", range(30))
def test_whatever_a_trip_plan_is_its_misses_are_what_the_verdicts_lost(seed: int) -> None:
    random = Random(seed)
    task = task_of([{"id": "a", **STARS}, {"id": "c", **LUXURY}], [CHANGE])
    replies = [fence_plan(break_plan(sound_plan(), random)) for _ in range(2)]
    conversation, setting = talk(task, *replies, mode=NO_ISSUE)
    trip_misses(conversation, setting)


# TripScore


def answer(suite: str, setting: AnySetting, text: str) -> Sequence[Event]:
    """The log of a session of one request and one answer."""
    play = suite_named(suite).play
    conversation: Conversation[Any] = Conversation(play.rules)
    conversation.append(play.opening(setting.task, SessionStart(options=setting.options)))
    run(conversation, {AGENT: Speaker([text])}, NoTools())
    return conversation.events


def score_misses(setting: AnySetting, plan: Any, ratings: Ratings = {}) -> list[Miss]:  # noqa: B006
    log = answer("tripscore", setting, fence_plan(plan) if isinstance(plan, dict) else "no plan")
    misses = misses_in("tripscore", log, setting, ratings)
    figures = suite_named("tripscore").scoring.score(log, setting)["published"].as_json()
    evidence: Any = figures["evidence"]
    assert points_of(misses, "reward") == pytest.approx(evidence["highest"] - figures["reward"])
    if rated := join_ratings(figures, ratings) if ratings else {}:
        assert points_of(misses, "rated") == pytest.approx(evidence["highest_rated"] - rated["rated"])
    else:
        assert causes_of(misses, "rated") == [("no_rating", "unjudged")]
    return misses


def score_setting(**changes: Any) -> Setting[tripscore.Task, None]:
    task = tripscore.Task.model_validate(
        {"id": "own", "query": tripscored.query(**changes), "reference": tripscored.REFERENCE}
    )
    return Setting(read_task=lambda: task)


def ratings_of(**said: float) -> Ratings:
    return {key: RubricMeans({key: rating}, 50.0) for key, rating in said.items()}


def test_points_are_lost_by_the_gate_that_was_shut_and_the_items_that_shut_it() -> None:
    plan = tripscored.plan()
    plan["dayInfos"][1]["scheduleDetail"][0]["detailList"][0]["id"] = "nowhere"
    (miss, *others) = [m for m in score_misses(score_setting(), plan) if m.kind == "information_verification"]
    assert (
        (miss.metric, miss.cause) == ("reward", "invented") and "2 · " in miss.item and "nowhere" in miss.item
    )
    assert miss.finding and miss.finding.key == "unknown_id" and ("id", "nowhere") in miss.finding.params
    assert all(other.metric == "reward" for other in others)


def test_a_wish_that_the_data_can_not_meet_is_impossible_and_one_that_they_can_was_dropped() -> None:
    for tag, cause in (("opera", "impossible"), ("museum", "dropped")):
        setting = score_setting(preferences={"attraction": [tag]})
        assert {m.cause for m in score_misses(setting, tripscored.plan()) if m.kind == "attraction"} == {
            cause
        }


def test_a_judge_takes_reward_from_a_feasible_plan() -> None:
    misses = score_misses(score_setting(), tripscored.plan(), ratings_of(iconic=2, diversity=5))
    assert ("iconic_landmarks", "judged") in causes_of(misses, "rated")
    assert "attraction_diversity" not in {kind for kind, _ in causes_of(misses, "rated")}


def test_an_answer_without_a_plan_loses_the_reward_to_that() -> None:
    assert causes_of(score_misses(score_setting(), None), "reward") == [("response_format", "no_plan")]


@pytest.mark.parametrize("seed", range(30))
def test_whatever_a_scored_plan_is_its_misses_are_what_the_reward_lacks(seed: int) -> None:
    random = Random(seed)
    wishes = {"budget": "premium", "pacing": "relaxed", "attraction": ["museum"], "effort": "moderate"}
    kind = random.choice(["synthetic", "real"])
    setting = score_setting(**({"preferences": wishes} if kind == "synthetic" else {"type": kind}))
    plan = tripscored.plan() if seed % 3 == 0 else break_plan(tripscored.plan(), random)
    rated = ratings_of(iconic=random.randint(1, 5), diversity=random.randint(1, 5), user=random.randint(0, 5))
    score_misses(setting, plan, random.choice([{}, rated]))


@pytest.mark.reference
def test_misses_of_golden_plans_are_what_their_rewards_lack(reference: Path) -> None:
    lines = (reference / "golden-tripscore" / "cases.jsonl").read_text("utf-8").splitlines()
    checked = 0
    for line in lines:
        given = json.loads(line)
        case = given["input"]
        if (
            "error" in given["expected"]
            or case.get("kind", "plan") != "plan"
            or not isinstance(case.get("plan"), dict)
            or case.get("params")
        ):
            continue
        task = tripscore.Task.model_validate({key: case[key] for key in ("id", "query", "reference")})
        score_misses(Setting(read_task=partial(lambda task: task, task)), case["plan"])
        checked += 1
    assert checked > 20


# TravelEval


LOW = ("far", "vroh", "ccd", "itd", "pd", "ssr")


def eval_misses(tables: Tables, plan: Any, ratings: Ratings = {}, **wishes: Any) -> list[Miss]:  # noqa: B006
    task = query(**wishes)
    setting = Setting(
        read_task=lambda: task, world=tables, options=fill_options(suite_named("traveleval").options, {})
    )
    text = fence_plan(plan) if isinstance(plan, dict) else "no plan"
    log = [*answer("traveleval", setting, "no plan")]
    if isinstance(plan, dict):  # one that the schema forbids too, as records of other programs have it
        at = next(n for n, event in enumerate(log) if getattr(event.body, "role", "") == AGENT)
        bodies = [event.body for event in log]
        bodies[at] = bodies[at].model_copy(update={"content": text, "has_plan": True})
        bodies.insert(at + 1, PlanProposed(plan=plan))
        log = [Event(seq, "system", "all", body, log[0].at) for seq, body in enumerate(bodies, 1)]
    misses = misses_in("traveleval", log, setting, ratings)
    figures = suite_named("traveleval").scoring.score(log, setting)["published"].as_json()
    for metric in FINDERS:
        value = figures[metric]
        if value is None:
            assert {m.kind for m in misses if m.metric == metric} == {"no_figure"}
        else:
            assert points_of(misses, metric) == pytest.approx(value if metric in LOW else 1 - value)
    return misses


def test_a_sight_that_the_city_lacks_is_invented_or_misnamed(starter: Tables) -> None:
    plan = sound_eval_plan(starter, Random(7))
    visits = [a for day in plan["daily_plans"] for a in day["activities"] if a["type"] == "attraction"]
    visits[0]["location_name"] = f"参观{visits[0]['location_name']}"
    visits[1]["location_name"] = "zzz"
    misses = eval_misses(starter, plan)
    assert sorted(causes_of(misses, "far")) == [("sight", "invented"), ("sight", "misnamed")]


def test_wishes_for_meals_and_hotels_are_dropped_or_impossible(starter: Tables) -> None:
    plan = sound_eval_plan(starter, Random(7))
    for wish, cause in ((None, "dropped"), ("火星菜", "impossible")):
        served = {meal.cuisine for meal in starter.city(query().target_city).taverns}
        eaten = {a["location_name"] for day in plan["daily_plans"] for a in day["activities"]}
        known = starter.city(query().target_city).tavern
        other = sorted(served - {known[name].cuisine for name in eaten if name in known})
        own = wish or other[0]
        misses = eval_misses(starter, plan, diet={"preferences": [own], "constraints": []})
        assert [(m.kind, m.cause, m.item) for m in misses if m.metric == "pas_c"] == [("cuisine", cause, own)]


def test_a_session_without_a_plan_has_no_figures_and_says_so(starter: Tables) -> None:
    misses = eval_misses(starter, None)
    assert {(miss.cause, miss.points) for miss in misses if miss.metric != "judge"} == {("no_plan", 0.0)}
    assert causes_of(misses, "judge") == [("no_rating", "unjudged")]


def test_a_judge_and_a_meta_judge_take_points_of_a_plan(starter: Tables) -> None:
    said = {"": RubricMeans({"pace": 3.0, "route": 5.0}, 60.0)}
    misses = eval_misses(starter, sound_eval_plan(starter, Random(7)), said)
    rows = [(m.kind, m.cause, m.points) for m in misses if m.metric == "judge"]
    assert rows == [("pace", "judged", 25.0), ("score", "meta", 15.0)]


@pytest.mark.parametrize("seed", range(30))
def test_whatever_a_plan_is_its_misses_are_what_its_figures_lack(seed: int, starter: Tables) -> None:
    random = Random(seed)
    plan = break_plan(sound_eval_plan(starter, random), random)
    eval_misses(
        starter,
        plan,
        transportation={"preferences": ["飞机"], "constraints": []},
        accommodations={"preferences": ["x"], "constraints": []},
    )
