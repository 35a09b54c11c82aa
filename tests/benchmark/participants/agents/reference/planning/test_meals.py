"""Where the planner eats."""

from __future__ import annotations

from datetime import date

from benchmark.participants.agents.reference.brief import Brief
from benchmark.participants.agents.reference.planning.knowledge import Knowledge, Place
from benchmark.participants.agents.reference.planning.plan import Planner

CITY = "武汉市"
BRIEF = Brief("", (CITY,), 3, date(2026, 4, 17), 2, (), "zh")


def place(name: str, kind: str, category: str, step: int) -> Place:
    return Place(
        name, name, kind, category, CITY, (114.3 + step / 500, 30.55), 4.5, 50.0, None, "07:00-22:00"
    )


def meals(food: str, restaurants: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """(start, name) of the meals of two travellers who must eat `food`."""
    places = [place(name, "restaurant", category, n) for n, (name, category) in enumerate(restaurants)]
    places += [place(f"公园{n}", "attraction", "公园", n) for n in range(6)]
    known = Knowledge({CITY: {one.id: one for one in places}})
    wishes = {"food": {"must_eat": [food]}, "attractions": {"category_pref": {"positive": ["公园"]}}}
    tables = {user: {"city_specific_preferences": {CITY: wishes}} for user in ("User1", "User2")}
    plan = Planner(BRIEF, tables, tuple(tables), known, 0).plan()
    activities = (a for day in plan.itinerary["days"] for s in day["city_segments"] for a in s["activities"])
    return [(one["start_time"], one["location"]) for one in activities if one["type"] == "food"]


def test_cake_and_coffee_are_no_lunch_and_no_dinner() -> None:
    eaten = meals(
        "面包甜点",
        [("DQ(凯德店)", "面包甜点"), ("仟吉蛋糕", "面包甜点"), ("老村长", "湖北菜"), ("楚味", "湖北菜")],
    )
    cakes = [start for start, name in eaten if name in {"DQ(凯德店)", "仟吉蛋糕"}]
    assert cakes
    assert all(start < "11:00" or "14:00" <= start <= "16:30" for start in cakes)


def test_nobody_eats_at_one_chain_twice() -> None:
    branches = [(f"大牌档({n}店)", "江浙菜") for n in range(5)]
    eaten = meals(
        "江浙菜",
        [*branches, ("外婆家", "江浙菜"), ("老村长", "湖北菜"), ("楚味", "湖北菜"), ("三五", "湖北菜")],
    )
    assert len(eaten) >= 4
    assert sum(name.startswith("大牌档") for _, name in eaten) == 1
