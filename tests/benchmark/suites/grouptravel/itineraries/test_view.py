"""The plan of a group's trip as pages show it."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from benchmark.plans.view import NO_ONE, PlanView, Ref
from benchmark.suites.grouptravel.itineraries.reading import members
from benchmark.suites.grouptravel.itineraries.view import activity_place, view_plan

USERS = ["User1", "User2"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda deeper: st.lists(deeper, max_size=3) | st.dictionaries(st.text(max_size=4), deeper, max_size=3),
    max_leaves=8,
)


def entries_of(*activities: dict[str, Any]) -> list[Any]:
    plan = {"days": [{"city_segments": [{"city": "杭州市", "activities": list(activities)}]}]}
    return list(view_plan(plan, USERS).days[0].entries)


@given(JSON, JSON)
def test_any_value_has_a_view(value: Any, inner: Any) -> None:
    assert isinstance(view_plan(value, USERS), PlanView)
    assert isinstance(
        view_plan({"days": [{"city_segments": [inner, {"activities": [inner]}]}]}, USERS), PlanView
    )


@given(
    st.lists(st.sampled_from([*USERS, "Stranger", 3]), max_size=3)
    | st.text(max_size=9)
    | st.none()
    | st.integers()
)
def test_who_takes_part_is_whom_the_scorer_counts(participants: Any) -> None:
    [entry] = entries_of({"type": "food", "location": "楼外楼", "participants": participants})
    taking_part = {user for user in USERS if not entry.who or user in entry.who}
    assert taking_part == members(participants, USERS)


def test_a_meal_of_strangers_alone_is_nobodys() -> None:
    [entry] = entries_of({"type": "food", "location": "楼外楼", "participants": ["Stranger"]})
    assert entry.who == (NO_ONE,)


def test_every_thing_stands_at_its_place_in_the_plan() -> None:
    leg = {"type": "intercity_transport", "from_city": "a", "to_city": "b", "transport_mode": "火车"}
    times = {"start_time": "22:00", "end_time": "06:30"}
    block = {"city": "b", "activities": [None, {"type": "rest"}, {"type": "hotel", "location": "h"}]}
    plan = {"days": [None, {"day": 7, "city_segments": [{**leg, **times}, block]}]}
    [day] = view_plan(plan, USERS).days
    assert (day.at, day.label, day.cities) == (activity_place(1), "7", ("a", "b"))
    assert [entry.at for entry in day.entries] == [
        activity_place(1, 0),
        activity_place(1, 1, 1),
        activity_place(1, 1, 2),
    ]
    assert [entry.kind for entry in day.entries] == ["leg", "other", "stay"]
    assert (day.entries[0].when.start, day.entries[0].when.end) == (22 * 60, 30 * 60 + 30)


def test_a_place_lies_where_it_is_said_to_lie() -> None:
    plan = {
        "days": [{"city_segments": [{"city": "c", "activities": [{"type": "attraction", "location": "p"}]}]}]
    }
    view = view_plan(
        plan, USERS, point_of=lambda name, city: (1.0, 2.0) if (name, city) == ("p", "c") else None
    )
    assert view.days[0].entries[0].place == Ref("p", "c", point=(1.0, 2.0))
