"""Each metric of the profile `paper` against a second, naive reckoning over random plans, and its own rules."""

from __future__ import annotations

import math
from collections import Counter
from datetime import date, timedelta
from itertools import permutations
from random import Random
from statistics import fmean
from typing import Any

import numpy as np
import pytest

from benchmark.plans.ways import great_circle_km
from benchmark.suites.traveleval.factors import BASE_MINUTES
from benchmark.suites.traveleval.scoring.conditions import HOLIDAY_QUEUES, conditions_of
from benchmark.suites.traveleval.scoring.itinerary import Itinerary
from benchmark.suites.traveleval.scoring.rules import RULES, PlanScore, score_plan
from benchmark.suites.traveleval.tasks import Query
from benchmark.suites.traveleval.world import Tables
from tests.scale.traveleval import query, sound_plan

Plan = dict[str, Any]
OPTIONS = {"service_hours": "06:00-23:00"}
PLANS = 500


def score(plan: Any, tables: Tables, asked: Query | None = None, **options: str) -> PlanScore:
    own = Itinerary.read(plan, asked or query(), tables)
    return score_plan(own, conditions_of({**OPTIONS, **options}, by_paper=True))


def random_plan(tables: Tables, random: Random) -> Plan:
    """A plan with times, people and fares that often miss what they should be."""
    plan = sound_plan(tables, random, people=random.randint(1, 4))
    for day in plan["daily_plans"]:
        hour = random.randint(6, 9)
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


KINDS = {"博物馆": "博物馆/纪念馆", "文物古迹": "历史古迹"} | dict.fromkeys(
    ("游乐园", "主题公园"), "游乐园/体育娱乐"
)


def h(text: str) -> float:
    return int(text[:2]) + int(text[3:]) / 60


def naive(plan: Plan, tables: Tables, asked: Query) -> dict[str, float | None]:
    """The figures as the page of rules has them, by the plainest way."""
    city, n = tables.city("杭州"), asked.people_number
    days, legs = plan["daily_plans"], plan["intercity_transport"]["transport_type"]
    found: dict[str, float | None] = {}
    visits = []
    for at, day in enumerate(days):
        for stop in day["activities"]:
            if stop["type"] == "attraction":
                hours = round((h(stop["end_time"]) - h(stop["start_time"])) % 24 * 60) / 60
                sight = city.sight.get(stop["location_name"])
                kinds = [KINDS.get(kind, kind) for kind in sight.type_names] if sight else []
                minutes = [BASE_MINUTES[kind] for kind in kinds if kind in BASE_MINUTES]
                of_hour = [1.0] * 8 + [0.85] * 2 + [0.9] * 2 + [1.1] * 8 + [0.7] * 4
                factor = HOLIDAY_QUEUES.date_factor(date.fromisoformat(day["date"]))
                wait = minutes[0] * factor * of_hour[int(stop["start_time"][:2])] / 60 if minutes else 0.0
                visits.append((at, stop, sight, hours, hours - wait))
    known = [visit for visit in visits if visit[2]]
    away = 24 * (len(days) - 1) + h(legs[-1]["end_time"]) - h(legs[0]["start_time"])
    found["far"] = (len(visits) - len(known)) / len(visits)
    found["ttcs"] = float(all(s.least <= hours <= s.most for _, _, s, hours, _ in known)) if known else None
    shares = [useful / hours if useful >= s.least else 0.0 for _, _, s, hours, useful in known]
    found["str"] = fmean(shares) if shares else None
    found["otu"] = sum(v[4] for v, share in zip(known, shares, strict=True) if share > 0) / away
    found["aqe"] = sum((v[2].star if v[2] else 3.0) * max(v[4], 0) for v in visits) / away
    missed = 0
    for _, stop, sight, hours, _ in known:
        start = round(h(stop["start_time"]) * 60)
        opened = {m % 1440 for m in range(*open_minutes(sight))} | {open_minutes(sight)[1] % 1440}
        missed += not {m % 1440 for m in range(start, start + round(hours * 60) + 1)} & opened
    found["vroh"] = missed / len(known) if known else None
    use = []
    for at, day in enumerate(days):
        ways = [stop["details"].get("transport_time") for stop in day["activities"][:1]]
        before = {10: 1 / 6, "00:30": 0.5}.get(ways[0], 0.0)
        start = h(legs[0]["start_time"]) if at == 0 else h(day["activities"][0]["start_time"]) - before
        end = h((legs[1] if at == len(days) - 1 else day["ending_point"])["end_time"])
        end += 24 if end < start else 0
        use.append(
            sum(max(v[4], 0) for v in known if v[0] == at) / (end - start) if end > start else math.nan
        )
    found["dtu"] = None if math.isnan(sum(use)) else fmean(use)
    stops = [stop for day in days for stop in [*day["activities"], day["ending_point"]]]
    costs = {
        "intercity_transportation": sum(leg["details"]["price"] * leg["details"]["number"] for leg in legs),
        "accommodation": sum(
            r["quantity"] * r["price_per_night"] * r["nights"] for r in plan["accommodation"]["room_type"]
        ),
        "intracity_transportation": sum(stop["transportation_cost"] for stop in stops),
        "attractions": sum(price(v[1], plan["summary"]["total_travelers"]) for v in visits),
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
    wishes = asked.attractions
    worth = sum(
        s.star
        * (1 + len({*wishes.preferences} & {*s.type_names}))
        * (not {*wishes.constraints} & {*s.type_names})
        for _, _, s, _, _ in known
    )
    found["be"], found["profit"] = 1000 * worth / spent, worth / len(visits)
    weights: Counter[str] = Counter()
    for _, _, sight, _, _ in known:
        for kind in sight.type_names:
            weights[kind] += 1 / len(sight.type_names)  # type: ignore[assignment]
    shares = [weight / len(known) for weight in weights.values()]
    found["edi"] = -sum(s * math.log(s, 24) for s in shares) if known else None
    found["ads"] = len(visits) / len(days) / 3.54
    beds = [2 * r["quantity"] for r in plan["accommodation"]["room_type"]]
    details = [stop["details"] for stop in stops if stop["details"]]
    cars = [d["load_limit"] * d["car_number"] for d in details if d.get("car_number")]
    tickets = [d["ticket_number"] for d in details if d.get("ticket_number")]
    found["pd"] = sum(fmean(abs(own - n) for own in kind) for kind in (beds, cars, tickets) if kind) / n
    room = [*(leg["details"]["number"] for leg in legs), sum(beds), *cars, *tickets]
    found["hcs"] = float(min(room) >= n)
    found["tcs"] = 1.0
    modes = [stop["transportation_to"] for stop in stops]
    found["pas_t"] = float("骑行" in modes and "步行" not in ["驾车"])
    served = {city.tavern[s["location_name"]].cuisine for s in stops if s["type"] == "meal"}
    found["pas_c"] = float("杭帮菜" in served and "火锅" not in served)
    found["pas_a"] = float(city.hotel[plan["accommodation"]["hotel_name"]].feature == "豪华型")
    found["itd"] = itd(plan, tables)
    found |= spatial(plan, tables)
    ways = [(day, i) for day in days for i in range(len(day["activities"]) + 1)]
    wrong = 0
    for day, i in ways:
        there = [*day["activities"], day["ending_point"]]
        left = h(there[i - 1]["end_time"]) if i else h(there[i]["start_time"]) - 0.5
        left = left or h(there[i]["start_time"]) - 0.5
        wrong += there[i]["transportation_to"] in ("地铁", "公交") and not 6 <= left <= 23
    early = h(legs[-1]["start_time"]) < h(days[-1]["activities"][-1]["end_time"])
    found["frtc"] = (wrong + early) / (len(ways) + 1)
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


def spatial(plan: Plan, tables: Tables) -> dict[str, float | None]:
    points = tables.city("杭州").points

    def km(a: str, b: str) -> float:
        return round(great_circle_km(points[a], points[b]), 2)

    surplus, attractions = [], []
    for day in plan["daily_plans"]:
        names = [s["location_name"] for s in day["activities"]]
        attractions.append([s["location_name"] for s in day["activities"] if s["type"] == "attraction"])
        whole = [
            name
            for name in [day["starting_point"], *names, day["ending_point"]["location_name"]]
            if name in points
        ]
        ways = [sum(map(km, [whole[0], *order], [*order, whole[-1]])) for order in permutations(whole[1:-1])]
        own = sum(map(km, whole, whole[1:]))
        surplus.append(own / min(ways) - 1 if min(ways) else 0.0)
    known = [[name for name in day if name in points] for day in attractions]
    values = []
    for at, day in enumerate(known):
        for name in day:
            near = [km(name, other) for other in day if other != name]
            far = [fmean(km(name, other) for other in own) for i, own in enumerate(known) if i != at and own]
            if near and far and min(far):
                values.append(fmean(near) / min(far))
    found: dict[str, float | None] = {"ssr": fmean(surplus)}
    for percent in (90, 95):
        found[f"csm_p{percent}"] = float(np.percentile(values, percent)) if values else None
    return found


def test_each_metric_is_as_the_naive_reckoning_has_it(starter: Tables) -> None:
    random = Random(34)
    differing: Counter[str] = Counter()
    for _ in range(PLANS):
        plan = random_plan(starter, random)
        asked = query(
            people_number=random.randint(1, 3),
            transportation={"preferences": ["骑行"], "constraints": ["自驾"]},
            accommodations={"preferences": ["豪华型"]},
            attractions={"preferences": ["自然风光"], "constraints": ["城市地标"]},
        )
        scored, wanted = score(plan, starter, asked), naive(plan, starter, asked)
        assert wanted.keys() == {key for rules in RULES.values() for key in rules}
        for key, value in wanted.items():
            own = float(scored.results[key].value) if key in scored.results else None
            if value is None or own is None:
                differing[key] += value is not own
            else:
                differing[key] += not math.isclose(value, own, rel_tol=1e-9, abs_tol=1e-9)
    assert not +differing


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
