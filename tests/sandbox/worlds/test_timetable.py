"""The generated timetable of the starter world."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from sandbox.worlds.records import Service
from sandbox.worlds.starter import FOLDER
from sandbox.worlds.timetable import Network, clock, draw, generate, load_network

NETWORK = FOLDER / "network.json"


@pytest.fixture(scope="module")
def network() -> Network:
    return load_network(NETWORK)


@pytest.fixture(scope="module")
def services(network: Network) -> list[Service]:
    return list(generate(network))


def _services_between(services: list[Service], origin: str, destination: str) -> list[Service]:
    return [run for run in services if (run.origin_city, run.destination_city) == (origin, destination)]


def _minute(text: str) -> int:
    return int(text[:2]) * 60 + int(text[3:])


def test_the_same_network_gives_the_same_services(network: Network, services: list[Service]) -> None:
    assert list(generate(network)) == services


def test_every_service_says_that_it_is_generated(services: list[Service]) -> None:
    assert all(run.generated for run in services)


def test_numbers_are_unique(services: list[Service]) -> None:
    assert len({run.number for run in services}) == len(services)


def test_arrival_is_departure_plus_duration(services: list[Service]) -> None:
    for run in services:
        assert _minute(run.depart) + run.duration_minutes == _minute(run.arrive) + 1440 * run.day_offset


def test_every_departure_city_reaches_every_destination_and_back(services: list[Service]) -> None:
    for home in ("北京市", "上海市", "武汉市"):
        for city in ("杭州市", "苏州市", "南京市", "广州市", "深圳市", "佛山市"):
            assert _services_between(services, home, city), (home, city)
            assert _services_between(services, city, home), (home, city)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("杭州市", "苏州市"),
        ("苏州市", "南京市"),
        ("广州市", "佛山市"),
        ("上海市", "杭州市"),
        ("广州市", "深圳市"),
    ],
)
def test_neighbours_have_trains_and_no_flights(services: list[Service], a: str, b: str) -> None:
    modes = {run.mode for run in _services_between(services, a, b)}
    assert "高铁" in modes
    assert "飞机" not in modes


def test_far_pairs_have_all_three_modes(services: list[Service]) -> None:
    assert {run.mode for run in _services_between(services, "北京市", "广州市")} == {"高铁", "火车", "飞机"}


def test_high_speed_runs_from_early_to_evening_and_ends_the_same_day(services: list[Service]) -> None:
    runs = [run for run in _services_between(services, "北京市", "上海市") if run.mode == "高铁"]
    departures = sorted(run.depart for run in runs)
    assert departures[0] < "07:30"
    assert departures[-1] >= "18:00"
    assert all(run.day_offset == 0 for run in services if run.mode == "高铁")


def test_some_ordinary_trains_arrive_on_a_later_day(services: list[Service]) -> None:
    assert any(run.day_offset == 1 for run in services if run.mode == "火车")


def test_known_fares_and_times_are_near_the_real_ones(services: list[Service]) -> None:
    runs = _services_between(services, "北京市", "上海市")
    for mode, fare, minutes in (
        ("高铁", (560, 680), (260, 370)),
        ("火车", (140, 190), (850, 1300)),
        ("飞机", (450, 1100), (110, 160)),
    ):
        for run in (run for run in runs if run.mode == mode):
            assert fare[0] <= run.price <= fare[1], run
            assert minutes[0] <= run.duration_minutes <= minutes[1], run


def test_a_line_to_an_unknown_station_is_refused(tmp_path: Path) -> None:
    data = json.loads(NETWORK.read_text("utf-8"))
    data["lines"][0]["ends"][1] = "月球站"
    file = tmp_path / "network.json"
    file.write_text(json.dumps(data), "utf-8")
    with pytest.raises(ValidationError, match="月球站"):
        load_network(file)


@given(st.lists(st.text(), min_size=1))
def test_draws_are_in_the_unit_interval_and_repeat(names: list[str]) -> None:
    assert 0 <= draw(*names) < 1
    assert draw(*names) == draw(*names)


@given(st.integers(min_value=0, max_value=5000))
def test_clock_drops_whole_days(at: int) -> None:
    assert _minute(clock(at)) == at % 1440


def test_every_service_has_its_classes_the_cheapest_of_which_is_its_price(services: list[Service]) -> None:
    for run in services:
        prices = [fare.price for fare in run.classes]
        assert len(prices) >= 2 and prices == sorted(prices) and prices[0] == run.price
        assert bool(run.aircraft) == (run.mode == "飞机")
    assert {run.classes[0].name for run in services} == {"二等座", "硬座", "经济舱"}


def test_a_train_stops_on_its_way_in_the_order_of_its_corridor(
    network: Network, services: list[Service]
) -> None:
    ways = [[name for name, _ in corridor.calls] for corridor in network.corridors]
    known = [run for run in services if run.calls is not None]
    assert len(known) > 0.6 * sum(run.mode != "飞机" for run in services)
    for run in known:
        assert run.calls is not None
        begin, minutes = _minute(run.depart), [0]
        for call in run.calls:
            minutes += [(_minute(at) - begin) % 1440 for at in (call.arrive, call.depart)]
        minutes.append(run.duration_minutes)
        if run.duration_minutes < 1440:
            assert minutes == sorted(set(minutes)), run
        stations = [run.origin_station, *(call.station for call in run.calls), run.destination_station]
        assert any(_in_order(stations, way) or _in_order(stations[::-1], way) for way in ways), stations


def _in_order(some: list[str], all_: list[str]) -> bool:
    rest = iter(all_)
    return all(each in rest for each in some)


def test_the_quicker_of_two_trains_stops_less(services: list[Service]) -> None:
    trains = sorted(_services_between(services, "北京市", "上海市"), key=lambda run: run.duration_minutes)
    rapid = [len(run.calls or ()) for run in trains if run.type == "高铁"]
    half = len(rapid) // 2
    assert sum(rapid[:half]) < sum(rapid[half:])


def test_a_line_on_no_corridor_has_stops_that_nobody_knows(network: Network) -> None:
    bare = network.model_copy(update={"corridors": ()})
    assert {run.calls for run in generate(bare)} == {None}
