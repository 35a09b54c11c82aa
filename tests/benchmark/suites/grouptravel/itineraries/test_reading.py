"""Lenient reading of plans and participants."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from benchmark.suites.grouptravel.itineraries import Block, Leg, read_plan

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda deeper: st.lists(deeper, max_size=3) | st.dictionaries(st.text(max_size=4), deeper, max_size=3),
    max_leaves=8,
)


def test_parts_that_are_no_objects_are_left_out_and_the_others_keep_their_place():
    segments = [
        None,
        {"type": "intercity_transport", "to_city": "b"},
        {"city": "b", "activities": [3, {"type": "rest"}]},
    ]
    (day,) = read_plan({"days": [7, {"city_segments": segments}]}).days
    leg, block = day.segments
    assert isinstance(leg, Leg) and isinstance(block, Block)
    assert (day.at, day.label, leg.at, block.at, block.activities[0].at) == (1, 2, 1, 2, 1)


def test_values_of_a_wrong_type_read_as_absent():
    activity = {
        "type": 3,
        "location": ["x"],
        "start_time": 9,
        "end_time": "25:00",
        "avg_cost": "9",
        "participants": "a",
    }
    (block,) = (
        read_plan({"days": [{"day": {}, "city_segments": [{"activities": [activity]}]}]}).days[0].blocks
    )
    read = block.activities[0]
    assert (read.kind, read.place, read.start, read.end, read.duration) == ("", "", None, None, 0)
    assert (read.start_text, read.cost, read.participants) == (9, "9", "a")


@given(
    st.lists(st.dictionaries(st.sampled_from(["day", "date", "city_segments", "type", "activities"]), JSON))
)
def test_no_plan_raises(days):
    read_plan({"days": days})
    read_plan({"days": [{"city_segments": days}]})
    read_plan({"days": [{"city_segments": [{"activities": days}]}]})


@given(JSON)
def test_no_value_raises(value):
    assert read_plan(value).days == ()
