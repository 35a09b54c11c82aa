"""Plans as agents should write them."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from benchmark.suites.grouptravel.itineraries import Itinerary, is_plan, read_plan

TIMES = {"start_time": "09:00", "end_time": "10:00"}
RIDE = {
    "type": "intracity_transport",
    "from": "西湖",
    "to": "面馆",
    "transport_mode": "地铁",
    "participants": ["All"],
    **TIMES,
}
ACTIVITIES = [
    {"type": "attraction", "location": "西湖", "participants": ["User1"], "avg_cost": 0.0, **TIMES},
    RIDE,
    {"type": "food", "location": "面馆", "participants": ["All"], "avg_cost": 40.0, **TIMES},
    {"type": "rest", "participants": ["All"], **TIMES},
    {"type": "hotel", "location": "客栈", "avg_cost": 200.0, **TIMES},
]
LEG = {
    "type": "intercity_transport",
    "from_city": "上海市",
    "to_city": "杭州市",
    "transport_mode": "高铁",
    "avg_cost": 73.0,
    **TIMES,
}
PLAN = {
    "days": [
        {"day": 1, "date": "2026-02-03", "city_segments": [LEG, {"city": "杭州市", "activities": ACTIVITIES}]}
    ]
}


def plan_with(**changes):
    return {
        "days": [{**PLAN["days"][0], "city_segments": [{"city": "杭州市", "activities": [RIDE | changes]}]}]
    }


def test_a_plan_goes_in_and_comes_out_as_it_was():
    published = Itinerary.model_validate(PLAN).as_published()
    assert published == PLAN
    assert is_plan(published)


@pytest.mark.parametrize("cost", [0.0, 12.5])
def test_a_ride_may_carry_a_cost(cost):
    plan = plan_with(avg_cost=cost)
    published = Itinerary.model_validate(plan).as_published()
    assert published == plan
    assert read_plan(published).days[0].blocks[0].activities[0].cost == cost


@pytest.mark.parametrize(
    "wrong",
    [
        {"avg_cost": -1},
        {"avg_cost": "free"},
        {"start_time": "24:00"},
        {"start_time": "9:00"},
        {"participants": []},
        {"participants": "All"},
        {"to": ""},
        {"note": 1},
    ],
)
def test_a_strict_plan_has_no_slack(wrong):
    with pytest.raises(ValidationError):
        Itinerary.model_validate(plan_with(**wrong))


def test_unknown_modes_and_days_without_segments_are_refused():
    for segments in ([LEG | {"transport_mode": "火箭"}], []):
        with pytest.raises(ValidationError):
            Itinerary.model_validate({"days": [{**PLAN["days"][0], "city_segments": segments}]})


def test_the_schema_uses_the_published_names():
    ride = Itinerary.model_json_schema(by_alias=True)["$defs"]["IntracityTransport"]
    assert {"from", "to"} <= set(ride["properties"]) & set(ride["required"])
    assert "avg_cost" in set(ride["properties"]) - set(ride["required"])
    assert ride["additionalProperties"] is False
