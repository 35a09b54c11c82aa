from __future__ import annotations

import math

import pytest

from benchmark.suites.traveleval.world import Tables, tables_of
from sandbox.worlds import World


def test_a_world_of_records_has_tables(starter: Tables) -> None:
    city = starter.city("杭州")
    lake = city.sight["西湖风景名胜区"]
    assert (lake.opens, lake.closes, lake.type_names[0]) == ("0:00", "24:00", "自然风光")
    assert lake.least < lake.most and lake.star > 4
    assert starter.city("杭州市") is city and not starter.city("巴黎").points
    assert {*city.sight, *city.tavern, *city.hotel} <= {*city.points} and "杭州东站" in city.points
    assert all(hotel.rooms for hotel in city.hotels)
    assert any(name.endswith("号线") for name in [line.name for line in city.metro])


def test_services_go_there_first_and_then_back(starter: Tables) -> None:
    trains = starter.trains_between("北京", "杭州")
    ways = [train.origin[:2] for train in trains]
    assert set(ways) == {"北京", "杭州"} and ways == sorted(ways, key=["北京", "杭州"].index)
    assert starter.trains_between("北京", None) == starter.trains_between("北京", "北京") == []
    flights = starter.flights_between("北京", "广州")
    assert {flight.kind for flight in flights} == {"飞机"}
    assert len(starter.flights_between("", "广州")) > len(flights)
    assert starter.flights_between(None, "广州") == []


@pytest.mark.reference
@pytest.mark.slow
def test_the_source_is_read_in_file_order(china10: World) -> None:
    tables = tables_of(china10)
    city = tables.city("Beijing")
    assert city is tables.city("北京") and [sight.name for sight in city.sights][:2] == [
        "北京环球度假区",
        "故宫博物院",
    ]
    assert not tables.city("北京市").sights
    assert sum(math.isnan(sight.star) for own in tables.cities.values() for sight in own.sights) == 3
    assert sum(len(own.hotels) for own in tables.cities.values()) == 4976
    assert len(tables.flights) == 1703 and sum(map(len, tables.trains.values())) == 8089
