"""The baselines of appendix A.4: possible plans of the released schema, the same for the same query."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from benchmark.core.engine import Conversation, run
from benchmark.core.events import PlanProposed, SessionFinished
from benchmark.core.participant import BuiltIn, SeatContext
from benchmark.core.view import AGENT
from benchmark.suites import suite_named
from benchmark.suites.traveleval.baselines import UnmetBudget, plan_within_budget, plan_without_limit
from benchmark.suites.traveleval.baselines.brief import Brief
from benchmark.suites.traveleval.baselines.meals import opening_of
from benchmark.suites.traveleval.baselines.sights import choose_sights, most_of_a_ticket, share_by_day
from benchmark.suites.traveleval.baselines.stays import choose_nearest_stay, stay_at
from benchmark.suites.traveleval.conversation.rules import follows_schema
from benchmark.suites.traveleval.making.sets import QueryOrder, made_queries
from benchmark.suites.traveleval.scoring.conditions import conditions_of
from benchmark.suites.traveleval.scoring.execution import execute
from benchmark.suites.traveleval.scoring.itinerary import Itinerary
from benchmark.suites.traveleval.scoring.queue import PUBLISHED_QUEUES
from benchmark.suites.traveleval.scoring.rules import score_plan
from benchmark.suites.traveleval.tasks import Query
from benchmark.suites.traveleval.world import Hotel, Room, Tables
from benchmark.suites.traveleval.world.tables import ROOM_SIZES
from sandbox.toolbox import world_tools
from sandbox.worlds import open_world

SUITE = suite_named("traveleval")
APPROACHES = {"baseline_a": plan_without_limit, "baseline_b": plan_within_budget}


@pytest.fixture(scope="module")
def queries(starter: Tables) -> list[Query]:
    order = QueryOrder(easy=12, medium=12, hard=12, seed=9)
    return [Query.model_validate(query) for query in made_queries(starter, order)]


@pytest.fixture(scope="module")
def plans(starter: Tables, queries: list[Query]) -> list[tuple[str, Query, Any]]:
    return [(name, query, make(query, starter)) for name, make in APPROACHES.items() for query in queries]


def minute(text: str) -> int:
    hour, _, rest = text.partition(":")
    return int(hour) * 60 + int(rest)


def day_stops(plan: Any) -> Iterator[tuple[Any, list[Any]]]:
    for day in plan["daily_plans"]:
        yield day, [*day["activities"], day["ending_point"]]


def only_plans(plans: list[tuple[str, Query, Any]]) -> list[tuple[str, Query, Any]]:
    return [(name, query, plan) for name, query, plan in plans if not isinstance(plan, UnmetBudget)]


def test_a_always_has_a_plan_and_b_one_within_the_budget(plans: list[tuple[str, Query, Any]]) -> None:
    kept = only_plans(plans)
    assert sum(name == "baseline_a" for name, *_ in kept) == 36
    assert sum(name == "baseline_b" for name, *_ in kept) >= 34
    for name, query, plan in plans:
        if isinstance(plan, UnmetBudget):
            assert name == "baseline_b" and plan.cheapest is not None and plan.cheapest > query.budget
        elif name == "baseline_b":
            assert plan["cost_breakdown"]["total"] <= query.budget and plan["summary"]["is_within_budget"]


def test_plans_follow_the_schema_and_every_figure_can_be_computed(
    starter: Tables, plans: list[tuple[str, Query, Any]]
) -> None:
    for _name, query, plan in only_plans(plans):
        assert follows_schema(plan)
        scored = score_plan(Itinerary.read(plan, query, starter), conditions_of({}, by_paper=False))
        assert scored.run == "success" and not scored.missing
        exact = {key: scored.results[key].value for key in ("ccd", "far", "tcs", "hcs", "frtc")}
        assert exact == {"ccd": pytest.approx(0, abs=1e-9), "far": 0, "tcs": 1, "hcs": 1, "frtc": 0}


def test_hours_order_and_ways_hold(starter: Tables, plans: list[tuple[str, Query, Any]]) -> None:
    for _name, query, plan in only_plans(plans):
        city = starter.city(query.target_city)
        there, back = plan["intercity_transport"]["transport_type"]
        for day, stops in day_stops(plan):
            for before, after in pairwise(stops):
                way = after["details"]["transport_time"]
                assert minute(before["end_time"]) + way <= minute(after["start_time"])
            for stop in day["activities"]:
                place = city.sight.get(stop["location_name"]) or city.tavern[stop["location_name"]]
                opens, closes = opening_of(place.opens, place.closes)
                begin, end = minute(stop["start_time"]), minute(stop["end_time"])
                assert opens <= begin < end <= closes
                if stop["type"] == "attraction":
                    sight = city.sight[place.name]
                    assert sight.least * 60 - 1 <= end - begin <= sight.most * 60 + 1
        first, last = plan["daily_plans"][0], plan["daily_plans"][-1]
        if first["activities"]:
            assert minute(first["activities"][0]["start_time"]) > minute(there["end_time"])
        if last["activities"]:
            assert minute(last["activities"][-1]["end_time"]) < minute(back["start_time"])


def test_plans_are_carried_out_as_they_are(starter: Tables, plans: list[tuple[str, Query, Any]]) -> None:
    """No step is late and none is missed, but the end that the schema demands of a day spent on a train."""
    for _name, query, plan in only_plans(plans):
        there = plan["intercity_transport"]["transport_type"][0]
        is_overnight = minute(there["end_time"]) < minute(there["start_time"])
        steps = execute(Itinerary.read(plan, query, starter), PUBLISHED_QUEUES).steps
        late = [step.at for step in steps if step.outcome != "done" or step.late > 1 / 60]
        assert late == ([("daily_plans", 0, "ending_point")] if is_overnight else [])


def test_nothing_is_visited_or_eaten_twice(plans: list[tuple[str, Query, Any]]) -> None:
    for _name, query, plan in only_plans(plans):
        names = [stop["location_name"] for day in plan["daily_plans"] for stop in day["activities"]]
        assert len({*names}) == len(names)
        assert len(plan["daily_plans"][0]["activities"]) <= 3, "one sight on the first day"
        rejected = {*query.diet.constraints}
        assert not rejected & {
            stop["details"].get("cuisine") for day in plan["daily_plans"] for stop in day["activities"]
        }


def test_rooms_have_a_bed_for_everybody_and_are_in_stock(
    starter: Tables, plans: list[tuple[str, Query, Any]]
) -> None:
    for _name, query, plan in only_plans(plans):
        stay = plan["accommodation"]
        hotel = starter.city(query.target_city).hotel[stay["hotel_name"]]
        beds = sum(ROOM_SIZES[room["type"]] * room["quantity"] for room in stay["room_type"])
        assert query.people_number <= beds <= query.people_number + 2
        assert all(room["quantity"] <= hotel.rooms[room["type"]].stock for room in stay["room_type"])
        assert {room["nights"] for room in stay["room_type"]} == {query.days - 1}


def test_the_same_seed_gives_the_same_plan(starter: Tables, queries: list[Query]) -> None:
    for make in APPROACHES.values():
        assert make(queries[-1], starter, 3) == make(queries[-1], starter, 3)


def test_half_of_the_sights_are_preferred_and_none_rejected(starter: Tables, queries: list[Query]) -> None:
    for query in queries:
        brief, wishes = Brief(query, starter), query.attractions
        chosen = choose_sights(brief, 1000)
        assert not any({*wishes.constraints} & {*sight.type_names} for sight in chosen)
        if wishes.preferences:
            preferred = [s for s in chosen if {*wishes.preferences} & {*s.type_names}]
            known = [s for s in brief.city.sights if {*wishes.preferences} & {*s.type_names}]
            known = [s for s in known if not {*wishes.constraints} & {*s.type_names}]
            assert len(preferred) >= min(len(known), max(brief.count_of_sights // 2, 1))
        shared = share_by_day(chosen, query.days, 0)
        assert len(shared) == query.days and max(map(len, (shared[0], shared[-1]))) <= 1
        inner = [*map(len, shared[1:-1])]
        assert not inner or (max(inner) - min(inner) <= 1 and max(inner) <= 8)


def test_a_family_gets_a_family_room_and_others_exact_beds(queries: list[Query], starter: Tables) -> None:
    rooms = {"单人房": Room(100, 5), "大床房": Room(150, 5), "双人房": Room(160, 5), "家庭房": Room(400, 5)}
    hotel = Hotel("店", (120.0, 30.0), "", rooms)

    def rooms_for(**people: int) -> dict[str, int]:
        changed = {"people_composition": people, "people_number": sum(people.values())}
        stay = stay_at(Brief(Query.model_validate(queries[0].model_dump() | changed), starter), hotel)
        assert stay is not None
        return {**stay.rooms}

    assert rooms_for(adults=1) == {"单人房": 1}
    assert rooms_for(adults=4) == {"大床房": 2}
    assert rooms_for(adults=2, children=1) == {"家庭房": 1}
    assert rooms_for(adults=1, children=1) == {"家庭房": 1}, "a parent with a child is a family"
    assert rooms_for(adults=3, children=1) == {"单人房": 1, "家庭房": 1}
    assert stay_at(Brief(queries[0], starter), hotel._replace(rooms={})) is None


def test_as_many_sights_are_looked_for_as_the_travellers_want_on_each_day(
    queries: list[Query], starter: Tables
) -> None:
    for start, rhythm, density in (("杭州", (), 3.54), ("深圳", (), 3.54), ("杭州", ("特种兵式",), 6.0)):
        fields = {
            "start_city": start,
            "target_city": "北京",
            "days": 5,
            "rhythm": {"preferences": [*rhythm], "constraints": []},
            "people_number": 1,
            "people_composition": {"adults": 1, "children": 0, "seniors": 0},
        }
        query = Query.model_validate(queries[0].model_dump() | fields)
        assert Brief(query, starter).count_of_sights == int(density * 5), "however far the cities are"


def test_b_lives_in_the_nearest_hotel_that_its_budget_pays_for(starter: Tables, queries: list[Query]) -> None:
    query = max(queries, key=lambda own: own.budget / own.people_number / own.days)
    rich = query.model_copy(update={"budget": 10_000_000})
    brief = Brief(rich, starter)
    plan: Any = plan_within_budget(rich, starter)
    points = [sight.point for sight in choose_sights(brief, most_of_a_ticket(brief))]
    nearest = choose_nearest_stay(brief, points)
    assert nearest is not None and plan["accommodation"]["hotel_name"] == nearest.hotel.name


def test_b_gives_up_all_wishes_and_eats_cheaply_before_it_refuses(
    starter: Tables, queries: list[Query]
) -> None:
    """The cheapest total that is told can't be met by a plan either: with that budget there is one."""
    for query in queries[::6]:
        refusal = plan_within_budget(query.model_copy(update={"budget": 100}), starter)
        assert isinstance(refusal, UnmetBudget) and refusal.cheapest is not None
        enough = query.model_copy(update={"budget": refusal.cheapest})
        assert not isinstance(plan_within_budget(enough, starter), UnmetBudget)


def test_no_journey_no_plan(starter: Tables, queries: list[Query]) -> None:
    lost = queries[0].model_copy(update={"start_city": "拉萨"})
    assert [make(lost, starter) for make in APPROACHES.values()] == [UnmetBudget(None)] * 2


@pytest.mark.parametrize(
    ("agent", "budget", "ending"),
    [("baseline_a", 50, "planned"), ("baseline_b", 50, "no_plan"), ("baseline_b", 90_000, "planned")],
)
def test_the_baselines_play_sessions(
    queries: list[Query], starter_pack: Path, agent: str, budget: int, ending: str
) -> None:
    task, world = queries[0].model_copy(update={"budget": budget}), open_world(starter_pack)
    kind = SUITE.play.cast().agents[agent]
    assert isinstance(kind, BuiltIn)
    context = SeatContext(seat=AGENT, task=task, open_pack=lambda: world)
    conversation = Conversation(SUITE.play.rules)
    conversation.append(SUITE.play.opening(task))
    run(conversation, {AGENT: kind.make(context)}, world_tools(world, task.language))
    bodies = [event.body for event in conversation.events]
    assert isinstance(bodies[-1], SessionFinished) and bodies[-1].reason == ending
    assert any(isinstance(body, PlanProposed) for body in bodies) == (ending == "planned")
    if ending == "no_plan":
        assert "最便宜方案总价" in json.dumps(
            [body.model_dump(mode="json") for body in bodies], ensure_ascii=False
        )
