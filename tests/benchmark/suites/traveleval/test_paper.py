"""Each metric of the profile `paper` against a second, naive reckoning over random plans, and its own rules."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from random import Random
from statistics import fmean
from typing import Any

import pytest

from benchmark.suites.traveleval.scoring.conditions import HOLIDAY_QUEUES, conditions_of
from benchmark.suites.traveleval.scoring.itinerary import Itinerary
from benchmark.suites.traveleval.scoring.rules import RULES, PlanScore, score_plan
from benchmark.suites.traveleval.tasks import Query
from benchmark.suites.traveleval.world import Tables
from tests.benchmark.suites.traveleval.naive import NAIVE_METRICS, Naive, differing_metrics
from tests.benchmark.suites.traveleval.odd_plans import odd_city, odd_plan, odd_query
from tests.scale.traveleval import query, sound_plan

Plan = dict[str, Any]
OPTIONS = {"service_hours": "06:00-23:00"}
PLANS, ODD_PLANS = 60, 60


def score(plan: Any, tables: Tables, asked: Query | None = None, **options: str) -> PlanScore:
    own = Itinerary.read(plan, asked or query(), tables)
    return score_plan(own, conditions_of({**OPTIONS, **options}, by_paper=True))


def random_plan(tables: Tables, random: Random) -> Plan:
    """A plan with times, people and fares that often miss what they should be."""
    plan = sound_plan(tables, random, people=random.randint(1, 4))
    for day in plan["daily_plans"]:
        hour: float = random.randint(6, 9)
        for stop in [*day["activities"], day["ending_point"]]:
            length = random.randint(1, 5) / 2
            stop["start_time"], stop["end_time"] = clock(hour), clock(hour + length)
            stop["transportation_cost"] = random.choice([0, 4, 900])
            stop["transportation_to"] = random.choice(["地铁", "公交", "骑行", "步行"])
            if stop["details"]:
                stop["details"]["transport_time"] = random.choice([10, "00:30", "soon"])
                stop["details"]["ticket_number"] = random.choice([0, 1, 2, 3])
            hour += length + random.randint(0, 6) / 2
        if random.random() < 0.2:
            day["activities"][0]["location_name"] = "不存在的景点"
    if random.random() < 0.3:
        plan["intercity_transport"]["transport_type"][0]["details"]["transport_number"] = "G0"
    return plan


def clock(hours: float) -> str:
    return f"{int(hours) % 24:02}:{int(hours % 1 * 60):02}"


def h(text: str) -> float:
    return int(text[:2]) + int(text[3:]) / 60


def naive(plan: Plan, tables: Tables, asked: Query) -> dict[str, float | None]:
    """The figures as the page of rules has them, by the plainest way."""
    city, n = tables.city("杭州"), asked.people_number
    days, legs = plan["daily_plans"], plan["intercity_transport"]["transport_type"]
    found: dict[str, float | None] = {}
    visits = []
    for day in days:
        for stop in day["activities"]:
            if stop["type"] == "attraction":
                hours = round((h(stop["end_time"]) - h(stop["start_time"])) % 24 * 60) / 60
                sight = city.sight.get(stop["location_name"])
                visits.append((stop, sight, hours))
    known = [(stop, sight, hours) for stop, sight, hours in visits if sight]
    found["far"] = (len(visits) - len(known)) / len(visits)
    found["ttcs"] = float(all(s.least <= hours <= s.most for _, s, hours in known)) if known else None
    missed = 0
    for stop, sight, hours in known:
        start = round(h(stop["start_time"]) * 60)
        opened = {m % 1440 for m in range(*open_minutes(sight))} | {open_minutes(sight)[1] % 1440}
        missed += not {m % 1440 for m in range(start, start + round(hours * 60) + 1)} & opened
    found["vroh"] = missed / len(known) if known else None
    stops = [stop for day in days for stop in [*day["activities"], day["ending_point"]]]
    costs = {
        "intercity_transportation": sum(leg["details"]["price"] * leg["details"]["number"] for leg in legs),
        "accommodation": sum(
            r["quantity"] * r["price_per_night"] * r["nights"] for r in plan["accommodation"]["room_type"]
        ),
        "intracity_transportation": sum(stop["transportation_cost"] for stop in stops),
        "attractions": sum(price(v[0], plan["summary"]["total_travelers"]) for v in visits),
        "meals": sum(80 for stop in stops if stop["type"] == "meal"),
        "other": 0.0,
    }
    spent = sum(costs.values())
    found |= {f"cost_{kind}": cost for kind, cost in costs.items()}
    found |= {f"share_{kind}": cost / spent for kind, cost in costs.items()}
    found["ccd"] = (
        sum(abs(cost - plan["cost_breakdown"].get(kind, 0)) for kind, cost in costs.items()) / spent
    )
    found["bcs"] = float(spent <= asked.budget)
    weights: Counter[str] = Counter()
    for _, sight, _ in known:
        for kind in sight.type_names:
            weights[kind] += 1 / len(sight.type_names)  # type: ignore[assignment]
    shares = [weight / len(known) for weight in weights.values()]
    found["edi"] = -sum(s * math.log(s, 24) for s in shares) if known else None
    beds = [2 * r["quantity"] for r in plan["accommodation"]["room_type"]]
    details = [stop["details"] for stop in stops if stop["details"]]
    cars = [d["load_limit"] * d["car_number"] for d in details if d.get("car_number")]
    tickets = [d["ticket_number"] for d in details if d.get("ticket_number")]
    found["pd"] = sum(fmean(abs(own - n) for own in kind) for kind in (beds, cars, tickets) if kind) / n
    room = [*(leg["details"]["number"] for leg in legs), sum(beds), *cars, *tickets]
    found["hcs"] = float(min(room) >= n)
    found["tcs"] = 1.0
    found["pas_a"] = float(city.hotel[plan["accommodation"]["hotel_name"]].feature == "豪华型")
    found["itd"] = itd(plan, tables)
    return found


def price(stop: Plan, people: int) -> float:
    ticket, count = stop["details"]["ticket_price"], stop["details"]["ticket_number"]
    return 80.0 if not ticket else float(ticket * (count or people))


def open_minutes(sight: Any) -> tuple[int, int]:
    times = [
        sum(int(part) * 60 ** (1 - at) for at, part in enumerate(t.split(":")))
        for t in (sight.opens, sight.closes)
    ]
    return times[0], times[1] + (1440 if times[1] <= times[0] else 0)


def itd(plan: Plan, tables: Tables) -> float:
    apart = actual = 0.0
    for leg in plan["intercity_transport"]["transport_type"]:
        rides = tables.trains_between("北京", "杭州")
        hours = (h(leg["end_time"]) - h(leg["start_time"])) % 24
        named = [ride for ride in rides if ride.number == leg["details"]["transport_number"]]
        fitting = named or [ride for ride in rides if ride.destination[:2] == leg["location_name"][:2]]

        def minutes_off(a: str, b: str) -> float:
            gap = abs(h(a.zfill(5)) - h(b)) % 24
            return round(min(gap, 24 - gap) * 60)

        best = min(
            fitting,
            key=lambda r: minutes_off(r.departs, leg["start_time"]) + minutes_off(r.arrives, leg["end_time"]),
        )
        apart, actual = apart + abs(hours - best.hours), actual + best.hours
    return apart / actual


def test_each_metric_is_as_the_naive_reckoning_has_it(starter: Tables) -> None:
    random = Random(34)
    differing: Counter[str] = Counter()
    for _ in range(PLANS):
        plan = random_plan(starter, random)
        asked = query(
            people_number=random.randint(1, 3),
            accommodations={"preferences": ["豪华型"]},
        )
        found = naive(plan, starter, asked)
        differing.update(differing_metrics(score(plan, starter, asked), found))
    assert not differing
    assert found.keys() | {*NAIVE_METRICS} == {key for rules in RULES.values() for key in rules}


def test_odd_plans_have_the_figures_of_the_naive_reckoning(starter: Tables) -> None:
    city = odd_city(starter.city("杭州"))
    tables = replace(starter, cities={**starter.cities, "杭州": city})
    random = Random(35)
    differing: Counter[str] = Counter()
    for _ in range(ODD_PLANS):
        asked, plan = odd_query(random), odd_plan(city, random)
        scored = score(plan, tables, asked, service_hours="06:00-01:30")
        differing.update(differing_metrics(scored, Naive(plan, asked, city).figures()))
    assert not differing


# What random plans do not reach.


@pytest.mark.parametrize(
    ("day", "factor"),
    [
        ("2025-10-08", 10.06),
        ("2025-05-03", 10.06),
        ("2025-01-31", 10.06),
        ("2025-06-02", 4.39),
        ("2025-04-04", 4.39),
        ("2025-10-11", 1.0),
        ("2025-04-05", 7.55),
        ("2025-12-24", 4.63),
        ("2025-07-07", 3.94),
        ("2150-05-05", 10.06),
    ],
)
def test_holidays_weekends_and_working_weekends(day: str, factor: float) -> None:
    assert HOLIDAY_QUEUES.date_factor(date.fromisoformat(day)) == factor


def test_one_bad_field_takes_no_other_metric_away(starter: Tables) -> None:
    plan = sound_plan(starter, Random(1))
    plan["cost_breakdown"], plan["accommodation"] = None, {}
    scored = score(plan, starter)
    assert {*scored.missing} == {
        *("ccd", "bcs", "be", "pd", "hcs", "pas_a", "cost_accommodation"),
        *(key for key in RULES["economy"] if key.startswith("share_")),
    }


@pytest.mark.parametrize(
    ("field", "lost"),
    [("day", {"str", "dtu", "otu", "aqe"}), ("end_time", {"vroh", "ttcs"})],
)
def test_a_field_takes_away_only_what_asks_for_it(starter: Tables, field: str, lost: set[str]) -> None:
    plan = sound_plan(starter, Random(1))
    first = plan["daily_plans"][0]
    (first if field == "day" else next(a for a in first["activities"] if a["type"] == "attraction"))[
        field
    ] = "x"
    plan["daily_plans"] = [first]
    assert {"vroh", "ttcs", "str", "dtu", "otu", "aqe"} & {*score(plan, starter).missing} == lost


def test_without_distances_or_service_hours_figures_are_missing(starter: Tables) -> None:
    scored = score(sound_plan(starter, Random(1)), starter, distances="none", service_hours="")
    assert scored.missing == {
        "frtc": "service_hours", "ssr": "distances", "csm_p90": "distances", "csm_p95": "distances",
    }  # fmt: skip


def test_days_are_each_once_with_their_dates(starter: Tables) -> None:
    plan = sound_plan(starter, Random(1))
    assert score(plan, starter).results["tcs"].value
    plan["daily_plans"][2]["date"] = "2025-05-03"
    assert not score(plan, starter).results["tcs"].value
    plan["daily_plans"][2].update(day=2, date="2025-05-01")
    assert not score(plan, starter).results["tcs"].value


def test_a_plan_without_a_destination_is_for_that_of_the_query(starter: Tables) -> None:
    plan = sound_plan(starter, Random(1))
    del plan["summary"]["destination"]
    assert score(plan, starter).results["far"].value == 0
    assert score([], starter).is_refused


def test_a_night_train_deviates_by_little(starter: Tables) -> None:
    ride = max(starter.trains_between("北京", "杭州"), key=lambda train: train.hours)
    assert timedelta(hours=ride.hours) > timedelta(hours=10)
    plan = sound_plan(starter, Random(1))
    (leg, _) = plan["intercity_transport"]["transport_type"]
    leg.update(start_time=ride.departs, end_time=ride.arrives, location_name=ride.destination)
    leg["details"]["transport_number"] = ride.number
    assert score(plan, starter).results["itd"].value < 0.01
