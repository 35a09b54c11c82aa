"""Routes and weather by AMap."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.backends.amap.routing import FUEL_PER_KM
from sandbox.backends.amap.search_along_route import SEARCHES_AT_MOST, circles_along
from sandbox.toolsets.grouptravel import routing as world_routing
from sandbox.worlds.geo import distance_m, metres_to_line
from tests.sandbox.backends import amap_data
from tests.sandbox.backends.amap_server import AmapServer, says
from tests.sandbox.backends.conftest import Call

Error = Callable[..., tuple[str, str]]
ENDS = {"origin": "西湖", "destination": "湖滨"}
TRANSIT = "/v5/direction/transit/integrated"


def test_driving_counts_tolls_by_amap_and_fuel_by_rule(call: Call, amap: AmapServer) -> None:
    route = call("plan_route", **ENDS)
    assert (route["mode"], route["distance_m"], route["duration_minutes"]) == ("driving", 5200, 20)
    assert (route["cost"], route["cost_per"], route["estimated"]) == (8.1, "car", True)
    assert route["steps"][:2] == ["沿南山路行驶2.1千米右转", "到达目的地"] and "油费" in route["steps"][2]
    assert route["origin"] == {"name": "浙江省杭州市西湖区西湖", "location": "120.143222,30.247871"}
    assert amap.parameters_of("/v5/direction/driving")[0]["strategy"] == "32"


def test_fuel_costs_what_it_costs_in_every_world() -> None:
    assert getattr(world_routing, "_FUEL_PER_KM") == FUEL_PER_KM  # noqa: B009


@pytest.mark.parametrize(("mode", "metres", "minutes"), [("walking", 2600, 35), ("bicycling", 2900, 13)])
def test_walking_and_cycling(call: Call, mode: str, metres: int, minutes: int) -> None:
    route = call("plan_route", **ENDS, mode=mode)
    assert (route["distance_m"], route["duration_minutes"], route["cost"]) == (metres, minutes, 0)
    assert not route["estimated"] and len(route["steps"]) == 1


def test_transit_leg_by_leg(call: Call, amap: AmapServer) -> None:
    route = call("plan_route", **ENDS, city="杭州", date="2026-05-01", time="09:05")
    assert (route["mode"], route["duration_minutes"], route["cost"]) == ("transit", 26, 2.0)
    assert (route["cost_per"], route["estimated"]) == ("person", False)
    assert route["steps"] == [
        "步行 734 米",
        "从苏堤乘51路(延安新村--环城西路)到湖滨（6 站）",
        "从杭州东乘火车 G7371 到苏州",
    ]
    (asked,) = amap.parameters_of(TRANSIT)
    assert (asked["city1"], asked["city2"]) == ("0571", "0571")
    assert (asked["date"], asked["time"]) == ("2026-05-01", "9-05")


def test_midnight_at_the_end_of_a_day(call: Call, amap: AmapServer) -> None:
    call("plan_route", **ENDS, city="杭州", time="24:00")
    assert amap.parameters_of(TRANSIT)[0]["time"] == "23-59"


def test_transit_between_coordinates_asks_for_their_cities(call: Call, amap: AmapServer) -> None:
    call("plan_route", origin="120.1432221,30.25", destination="120.16,30.25", city="杭州")
    assert (
        len(amap.parameters_of("/v3/geocode/regeo")) == 2
        and amap.parameters_of(TRANSIT)[0]["city1"] == "0571"
    )
    assert amap.parameters_of(TRANSIT)[0]["origin"] == "120.143222,30.25"


def test_a_fare_that_amap_does_not_give_is_null(call: Call, amap: AmapServer) -> None:
    amap.answers[TRANSIT] = amap_data.TRANSIT | {"transits": amap_data.TRANSIT["transits"][1:]}
    route = call("plan_route", **ENDS, city="杭州")
    assert route["cost"] is None and route["steps"] == []


def test_a_drive_may_leave_the_city(call: Call) -> None:
    route = call("plan_route", origin="西湖", destination="苏州站", mode="driving", city="杭州")
    assert "苏州站" in route["destination"]["name"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"mode": "transit"}, ["city"]),
        ({"destination": "没有的地方"}, ["destination", "没有的地方"]),
        ({"destination": "天安门", "mode": "walking"}, ["mode", "walking"]),
        ({"city": "亚特兰蒂斯"}, ["city"]),
    ],
)
def test_ends_that_do_not_serve(error: Error, arguments: dict[str, str], words: list[str]) -> None:
    kind, message = error("plan_route", **(ENDS | arguments))
    assert kind == "arguments" and all(word in message for word in words)


def test_no_route(error: Error, amap: AmapServer) -> None:
    amap.answers[TRANSIT] = {"transits": []}
    kind, message = error("plan_route", **ENDS, city="杭州")
    assert kind == "arguments" and "transit" in message
    amap.answers["/v5/direction/walking"] = {"paths": []}
    assert error("plan_route", **ENDS, mode="walking")[0] == "arguments"


def test_a_route_without_its_length_is_no_answer(error: Error, amap: AmapServer) -> None:
    amap.answers["/v5/direction/walking"] = {"paths": [{"distance": [], "cost": {"duration": "1"}}]}
    assert error("plan_route", **ENDS, mode="walking") == ("backend", "高德服务的回应无法识别")


def test_modes_are_compared_quickest_first(call: Call) -> None:
    routes = call("compare_routes", **ENDS)["routes"]
    assert [route["mode"] for route in routes] == ["bicycling", "driving", "transit", "walking"]


def test_a_mode_without_a_way_is_left_out(call: Call, amap: AmapServer) -> None:
    amap.answers[TRANSIT] = {"transits": []}
    modes = [route["mode"] for route in call("compare_routes", **ENDS)["routes"]]
    assert "transit" not in modes and len(modes) == 3


def test_a_mode_that_fails_is_not_left_out_silently(error: Error, amap: AmapServer) -> None:
    amap.answers["/v5/direction/driving"] = {"paths": [{}]}
    assert error("compare_routes", **ENDS)[0] == "backend"


def test_places_beside_a_route(call: Call, amap: AmapServer) -> None:
    result = call("search_along_route", **ENDS, keywords="浙江菜", route_range=300)
    assert [poi["name"] for poi in result["pois"]] == ["知味观(湖滨总店)", "新白鹿餐厅"]
    assert all(
        0 < poi["distance_m"] <= 300 and poi["detour_m"] == 2 * poi["distance_m"] for poi in result["pois"]
    )
    assert result["route"]["mode"] == "driving" and len(amap.parameters_of("/v5/place/around")) == 4
    few = call("search_along_route", **ENDS, keywords="浙江菜", route_range=3000, poi_limit=2)
    assert len(few["pois"]) == 2


def test_places_beside_another_route_and_by_transit(call: Call, error: Error) -> None:
    second = call("search_along_route", **ENDS, keywords="浙江菜", route_index=2)
    assert second["route"]["distance_m"] == 6900
    kind, message = error("search_along_route", **ENDS, keywords="浙江菜", route_index=3)
    assert kind == "arguments" and "route_index" in message and "2" in message
    transit = call("search_along_route", **ENDS, keywords="浙江菜", mode="transit", city="杭州")
    assert transit["route"]["mode"] == "transit" and len(transit["pois"]) == 2


def test_an_answer_that_no_route_code_explains(error: Error, amap: AmapServer) -> None:
    amap.faults.extend([says("20802")])
    kind, message = error("plan_route", origin="120.1,30.2", destination="120.2,30.3")
    assert kind == "arguments" and "ROUTE_FAIL" in message


POINTS = st.tuples(st.floats(120, 120.3), st.floats(30, 30.3))


@given(st.lists(POINTS, min_size=2, max_size=6), st.integers(50, 3000), st.floats(0, 1))
def test_circles_cover_the_corridor(line: list[tuple[float, float]], within: int, share: float) -> None:
    circles = circles_along(line, within)
    assert 1 <= len(circles) <= SEARCHES_AT_MOST
    (x, y), (to_x, to_y) = line[0], line[1]
    on_line = (x + share * (to_x - x), y + share * (to_y - y))
    assert min(distance_m(on_line, circle.centre) - circle.radius_m for circle in circles) <= -within + 5
    assert all(metres_to_line(circle.centre, line) < 5 for circle in circles)


def test_a_forecast_for_the_days_asked_for(call: Call, amap: AmapServer) -> None:
    result = call("maps_weather", location="西湖", date="2026-05-01", days=1)
    assert result["city"] == "西湖区" and "2026-05-01 11:33:00" in result["note"]
    assert result["days"] == [
        {
            "date": "2026-05-01",
            "text": "多云转小雨",
            "low": 16,
            "high": 24,
            "rain_chance": None,
            "wind": "东风1-3级",
        },
        {"date": "2026-05-02", "text": "晴", "low": 15, "high": 27, "rain_chance": None, "wind": "东风1-3级"},
    ]
    assert amap.parameters_of("/v3/weather/weatherInfo")[0] | {"key": ""} == {
        "city": "330106", "extensions": "all", "key": "",
    }  # fmt: skip


def test_days_after_the_forecast_are_missing_and_said_to_be(call: Call) -> None:
    result = call("maps_weather", location="120.15,30.25", date="2026-05-03", days=5)
    assert [day["date"] for day in result["days"]] == ["2026-05-03", "2026-05-04"]
    assert "尚无预报" in result["note"]


@pytest.mark.parametrize("date", ["2026-04-30", "2026-05-05", "9999-12-31"])
def test_a_date_outside_the_forecast(error: Error, date: str) -> None:
    kind, message = error("maps_weather", location="杭州", date=date, days=5)
    assert kind == "arguments" and "2026-05-01" in message and "2026-05-04" in message


def test_a_day_without_temperatures_is_left_out(call: Call, amap: AmapServer) -> None:
    casts = [amap_data.FORECAST["casts"][0], amap_data.cast("2026-05-02", "晴", "晴", [], [])]
    amap.answers["/v3/weather/weatherInfo"] = {"forecasts": [amap_data.FORECAST | {"casts": casts}]}
    result = call("maps_weather", location="杭州", date="2026-05-01", days=1)
    assert len(result["days"]) == 1 and "尚无预报" in result["note"]


def test_no_forecast_at_all(error: Error, amap: AmapServer) -> None:
    amap.answers["/v3/weather/weatherInfo"] = {"forecasts": []}
    assert error("maps_weather", location="杭州", date="2026-05-01")[0] == "backend"
