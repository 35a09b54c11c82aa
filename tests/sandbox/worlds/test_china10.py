"""The ten-city importer, on small copies of its format."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.extras import declared_extras
from sandbox.worlds import World, open_world
from sandbox.worlds.check import check_extras, check_world
from sandbox.worlds.china10 import ImportAborted, ImportReport, import_china10
from sandbox.worlds.china10 import rows as kinds
from sandbox.worlds.china10.fields import minute, opening_hours
from sandbox.worlds.china10.reading import Problem, Problems, Row, Source
from sandbox.worlds.china10.rows import keep, train_key
from sandbox.worlds.records import HOTEL_CLASSES, Place, TimeWindow

ATTRACTIONS = "id,name,type,lat,lon,opentime,endtime,price,recommendmintime,recommendmaxtime,star"
HOTELS = (
    "id,name,hotelname_en,featurehoteltype,lat,lon,single_room_price,single_room_stock,king_room_price,"
    "king_room_stock,double_bed_price,double_bed_stock,family_room_price,family_room_stock"
)
RESTAURANTS = "id,name,lat,lon,price,cuisine,opentime,endtime,recommendedfood"
CENTRES = {"wuhan": (30.58, 114.30), "nanjing": (32.05, 118.79)}
TRAIN = {
    "TrainID": "G1", "TrainType": "高铁", "From": "武汉站", "To": "南京南站", "BeginTime": "9:00", "EndTime": "12:00",
    "Duration": 3.0, "Cost": 200.0,
}  # fmt: skip
FLIGHT = {
    "FlightID": "CA1", "From": "武汉天河国际机场", "To": "南京禄口国际机场", "BeginTime": "7:00", "EndTime": "8:30",
    "Duration": 1.5, "Cost": 500.0,
}  # fmt: skip


class Copy:
    """A source folder of two cities that a test may change before it imports."""

    def __init__(self, root: Path) -> None:
        self.folder, self.target = root / "source", root / "out" / "world.pack"
        for slug, (lat, lon) in CENTRES.items():
            self.csv(
                f"attractions/{slug}/attractions.csv",
                ATTRACTIONS,
                f"0,甲园,{{公园;园林}},{lat},{lon},9:00,17:00,10,1,2,4.5",
            )
            self.csv(f"accommodations/{slug}/accommodations.csv", HOTELS, self.hotel("江边酒店", lat, lon))
            self.csv(
                f"restaurants/{slug}/restaurants_{slug}.csv",
                RESTAURANTS,
                f"0,乙饭店,{lat},{lon},50.0,川菜,10:00,22:00,",
                bom=False,
            )
            self.json(f"poi/{slug}/poi.json", [{"name": "甲园", "position": [lat, lon]}])
        self.json(
            "poi/wuhan/poi.json",
            [{"name": "武汉站", "position": [30.61, 114.42]}, {"name": "某广场", "position": [30.6, 114.3]}],
        )
        self.trains(TRAIN)
        self.json("intercity_transport/train/from_南京_to_武汉.json", [])
        self.text("intercity_transport/airplane.jsonl", json.dumps(FLIGHT, ensure_ascii=False) + "\n")
        self.metro("114.30,30.58")

    @staticmethod
    def hotel(name: str, lat: float, lon: float, feature: str = "泳池", twin: int = 301) -> str:
        return f"0,{name},X,{feature},{lat},{lon},200,0,250,1,{twin},2,400,3"

    def text(self, file: str, content: str, encoding: str = "utf-8") -> None:
        path = self.folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding)

    def folder_at(self, file: str) -> None:
        (self.folder / file).unlink()
        (self.folder / file).mkdir()

    def csv(self, file: str, header: str, *rows: str, bom: bool = True) -> None:
        self.text(file, "\n".join((header, *rows)) + "\n", "utf-8-sig" if bom else "utf-8")

    def json(self, file: str, value: Any) -> None:
        self.text(file, json.dumps(value, ensure_ascii=False, indent=2))

    def attractions(self, *rows: str) -> None:
        self.csv("attractions/wuhan/attractions.csv", ATTRACTIONS, *rows)

    def hotels(self, *rows: str) -> None:
        self.csv("accommodations/wuhan/accommodations.csv", HOTELS, *rows)

    def restaurants(self, *rows: str) -> None:
        self.csv("restaurants/wuhan/restaurants_wuhan.csv", RESTAURANTS, *rows)

    def trains(self, *trains: dict[str, Any]) -> None:
        self.json("intercity_transport/train/from_武汉_to_南京.json", list(trains))

    def metro(self, *positions: str) -> None:
        lines = [
            {"name": f"{nth}号线", "stations": [{"name": "江汉路", "position": at}]}
            for nth, at in enumerate(positions, 1)
        ]
        self.json("transportation/subways.json", {"wuhan": lines, "nanjing": []})

    def report(self) -> ImportReport:
        return import_china10(self.folder, self.target, "small")

    def world(self) -> World:
        return open_world(self.report().path)

    def only(self, kind: Any) -> Place:
        (place,) = self.world().places("武汉", kind)
        return place

    def problems(self) -> list[str]:
        with pytest.raises(ImportAborted) as caught:
            self.report()
        assert not self.target.exists()
        assert not self.target.parent.exists() or not list(self.target.parent.iterdir())
        return [str(problem) for problem in caught.value.problems]


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


def _attraction(
    name: str = "丙寺", kinds: str = "{公园}", lat: str = "30.5", hours: str = "9:00,17:00", star: str = "4.5"
) -> str:
    return f"1,{name},{kinds},{lat},114.3,{hours},0,1,2,{star}"


# What comes out


def test_cities_have_full_names_and_aliases(copy: Copy) -> None:
    world = copy.world()
    assert {city.name for city in world.cities()} == {"武汉市", "南京市"}
    assert world.city("武汉") == world.city("武汉市")


def test_an_attraction_keeps_all_categories_and_is_in_the_first(copy: Copy) -> None:
    place = copy.only("attraction")
    assert (place.category, place.categories, place.price, place.rating) == (
        "公园",
        ("公园", "园林"),
        10,
        4.5,
    )
    assert place.stay_hours == (1, 2)
    assert (place.latitude, place.longitude) == CENTRES["wuhan"]


@pytest.mark.parametrize("kinds", ["公园", "[公园;园林}", "{公园;园林;}"])
def test_category_sets_with_other_brackets_are_read_and_counted(copy: Copy, kinds: str) -> None:
    copy.attractions(_attraction(kinds=kinds))
    assert copy.report().gaps["category_sets_malformed"] == 1
    assert copy.only("attraction").category == "公园"


def test_a_missing_star_becomes_the_median_and_is_marked(copy: Copy) -> None:
    copy.attractions(_attraction("甲", star="4.0"), _attraction("乙", star=""), _attraction("丙", star="4.8"))
    place = next(place for place in copy.world().places("武汉", "attraction") if place.name == "乙")
    assert (place.rating, place.derived) == (4.4, ("rating",))
    assert copy.report().gaps["stars_missing"] == 1


@pytest.mark.parametrize(
    ("hours", "windows"),
    [
        ("9:00,17:30", [("09:00", "17:30")]),
        ("10:00,02:00", [("00:00", "02:00"), ("10:00", "24:00")]),
        ("17:30,0:00", [("17:30", "24:00")]),
        ("8:00,24:00", [("08:00", "24:00")]),
    ],
)
def test_opening_hours_have_the_published_structure(
    copy: Copy, hours: str, windows: list[tuple[str, str]]
) -> None:
    copy.attractions(_attraction(hours=hours))
    opening = copy.only("attraction").opening_hours
    assert opening is not None
    (rule,) = opening.rules
    assert rule.weekdays == (1, 2, 3, 4, 5, 6, 7)
    assert rule.time_windows == tuple(TimeWindow(open=a, close=b) for a, b in windows)


@pytest.mark.parametrize("hours", ["0:00,24:00", "0:00,0:00"])
def test_a_whole_day_is_always_open(copy: Copy, hours: str) -> None:
    copy.attractions(_attraction(hours=hours))
    opening = copy.only("attraction").opening_hours
    assert opening is not None
    assert opening.always_open


def test_a_restaurant_has_its_dishes_and_a_fact_about_them(copy: Copy) -> None:
    copy.restaurants('0,楚宴,30.5,114.3,88.0,湖北菜,10:00,22:00," 武昌鱼,排骨藕汤, 武昌鱼,"')
    world = copy.world()
    place = next(world.places("武汉", "restaurant"))
    assert (place.category, place.price, place.dishes) == ("湖北菜", 88, ("武昌鱼", "排骨藕汤"))
    assert any("排骨藕汤" in fact.text for fact in world.facts("武汉 楚宴 推荐菜"))


@pytest.mark.parametrize(("name", "cuisine"), [("江边咖啡", "咖啡店"), ("老王家", "其他")])
def test_a_missing_cuisine_comes_from_the_name_and_is_marked(copy: Copy, name: str, cuisine: str) -> None:
    copy.restaurants(f"0,{name},30.5,114.3,88.0, ,10:00,22:00,")
    place = copy.only("restaurant")
    assert (place.category, place.derived) == (cuisine, ("category",))


def test_a_hotel_costs_half_its_twin_room_and_keeps_its_rooms(copy: Copy) -> None:
    hotel = copy.only("hotel")
    assert hotel.price == 151
    assert [(room.name, room.price, room.capacity, room.stock) for room in hotel.rooms] == [
        ("单人间", 200, 1, 0), ("大床房", 250, 2, 1), ("双床房", 301, 2, 2), ("家庭房", 400, 3, 3),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "feature", "kind"),
    [
        ("江景电竞酒店", "泳池", "电竞酒店"),
        ("如家酒店(江滩店)", "泳池", "快捷酒店"),
        ("某某国际公寓", "泳池", "公寓式酒店"),
        ("某某度假村", "泳池", "度假酒店"),
        ("某某青年旅舍", "泳池", "旅馆"),
        ("某某洲际酒店", "泳池", "豪华型"),
        ("小屋", "民宿", "民宿"),
    ],
)
def test_a_hotel_class_comes_from_words_and_is_marked(copy: Copy, name: str, feature: str, kind: str) -> None:
    copy.hotels(copy.hotel(name, 30.5, 114.3, feature))
    hotel = copy.only("hotel")
    assert hotel.category == kind
    assert hotel.categories == tuple(dict.fromkeys((kind, feature)))
    assert "category" in hotel.derived
    assert copy.report().gaps["hotel_classes_by_keyword"] == 1


def test_other_hotels_are_classed_by_the_prices_of_their_city(copy: Copy) -> None:
    copy.hotels(*(copy.hotel(f"酒店{chr(0x7532 + n)}", 30.5, 114.3, twin=100 * (n + 1)) for n in range(10)))
    by_price = sorted(copy.world().places("武汉", "hotel"), key=lambda hotel: hotel.price or 0)
    assert [hotel.category for hotel in by_price] == ["经济型"] * 3 + ["舒适型"] * 4 + ["高档型"] * 2 + [
        "豪华型"
    ]


def test_a_hotel_listed_twice_is_one_with_the_first_price_and_both_features(copy: Copy) -> None:
    copy.hotels(
        copy.hotel("某酒店(江滩店)", 30.5, 114.3, "泳池", 300),
        copy.hotel("某酒店（江滩店）", 30.501, 114.3, "茶室", 200),
    )
    hotel = copy.only("hotel")
    assert (hotel.price, hotel.categories[1:]) == (150, ("泳池", "茶室"))
    assert copy.report().gaps["hotels_listed_again"] == 1


def test_two_hotels_of_one_name_get_names_of_their_own(copy: Copy) -> None:
    copy.hotels(copy.hotel("某酒店", 30.5, 114.3), copy.hotel("某酒店", 30.6, 114.3))
    assert {hotel.name for hotel in copy.world().places("武汉", "hotel")} == {"某酒店", "某酒店(2)"}


@pytest.mark.parametrize(
    ("kind", "mode"),
    [("高铁", "高铁"), ("动车", "高铁"), ("城际", "高铁"), ("直达", "火车"), ("普快", "火车")],
)
def test_train_types_map_to_modes(copy: Copy, kind: str, mode: str) -> None:
    copy.trains(TRAIN | {"TrainType": kind})
    train = next(run for run in copy.world().services("武汉", "南京") if run.mode != "飞机")
    assert (train.mode, train.type, train.depart, train.generated) == (mode, kind, "09:00", False)


@pytest.mark.parametrize(
    ("begin", "end", "hours", "arrive", "days", "minutes"),
    [
        ("09:00", "12:04", 3.1, "12:04", 0, 184),
        ("22:00", "1:21", 3.4, "01:21", 1, 201),
        ("10:00", "12:00", 26.0, "12:00", 1, 1560),
        ("20:00", "04:00", 32.0, "04:00", 2, 1920),
        ("07:22", "07:28", 10.1, "17:28", 0, 606),
    ],
)
def test_the_day_of_arrival_follows_from_the_duration(
    copy: Copy, begin: str, end: str, hours: float, arrive: str, days: int, minutes: int
) -> None:
    copy.trains(TRAIN | {"BeginTime": begin, "EndTime": end, "Duration": hours})
    (train,) = copy.world().services("武汉", "南京", "高铁")
    assert (train.arrive, train.day_offset, train.duration_minutes) == (arrive, days, minutes)


def test_a_train_listed_twice_is_kept_once(copy: Copy) -> None:
    copy.trains(TRAIN, TRAIN | {"Cost": 150.0}, TRAIN | {"TrainID": "G3"})
    report = copy.report()
    assert report.gaps["services_listed_again"] == 1
    assert [run.price for run in open_world(report.path).services("武汉", "南京", "高铁")] == [200, 200]


def test_a_flight_has_its_airline(copy: Copy) -> None:
    (flight,) = copy.world().services("武汉", "南京", "飞机")
    assert (flight.number, flight.operator, flight.type) == ("CA1", "中国国航", "航班")


def test_rows_are_kept_as_they_stand_in_the_order_of_their_files(copy: Copy) -> None:
    """Records are mended: hotels merged, stars filled, trains and points listed once, spaces cut off."""
    copy.attractions(_attraction("乙", star=""), _attraction("甲", kinds="[公园;园林}"))
    copy.hotels(
        copy.hotel("某酒店(江滩店)", 30.5, 114.3, "泳池", 300),
        copy.hotel("某酒店（江滩店）", 30.501, 114.3, " ", 200),
    )
    last = "8,小馆,30.5,114.3,20.0,小吃,10:00,22:00, "
    copy.restaurants('7,楚宴,30.5,114.3,88.0, ,10:00,02:00," 武昌鱼,"', last)
    copy.trains(TRAIN, TRAIN, TRAIN | {"TrainID": "G3", "Cost": "98"})
    point = {"name": "甲园", "position": [30.58, "114.30"], "note": "left out"}
    copy.json("poi/wuhan/poi.json", [point, point])
    copy.metro("114.30,30.58")
    report = copy.report()
    world = open_world(report.path)
    assert [(row.name, row.type, row.star) for row in world.extra(kinds.ATTRACTIONS, "武汉市")] == [
        ("乙", "{公园}", ""),
        ("甲", "[公园;园林}", "4.5"),
    ]
    assert [
        (row.name, row.featurehoteltype, row.double_bed_price) for row in world.extra(kinds.HOTELS, "武汉市")
    ] == [
        ("某酒店(江滩店)", "泳池", "300"),
        ("某酒店（江滩店）", " ", "200"),
    ]
    restaurant, other = world.extra(kinds.RESTAURANTS, "武汉市")
    assert other.recommendedfood == " ", "at the end of a file too"
    assert restaurant.model_dump() == {
        "id": "7", "name": "楚宴", "lat": "30.5", "lon": "114.3", "price": "88.0", "cuisine": " ",
        "opentime": "10:00", "endtime": "02:00", "recommendedfood": " 武昌鱼,",
    }  # fmt: skip
    trains = world.extra(kinds.TRAINS, train_key("武汉市", "南京市"))
    assert [row.model_dump() for row in trains] == [TRAIN, TRAIN, TRAIN | {"TrainID": "G3", "Cost": "98"}]
    assert world.extra(kinds.TRAINS, train_key("南京市", "武汉市")) == ()
    assert [row.position for row in world.extra(kinds.POINTS, "武汉市")] == [(30.58, "114.30")] * 2
    assert [row.model_dump() for row in world.extra(kinds.FLIGHTS, kinds.ALL)] == [FLIGHT]
    (line,) = world.extra(kinds.METRO, "武汉市")
    assert (line.name, [stop.position for stop in line.stations]) == ("1号线", ["114.30,30.58"])
    assert report.rows == world.report["rows"] == {
        "attractions": 3, "restaurants": 3, "hotels": 3, "points": 3, "trains": 3, "flights": 1, "metro": 1,
    }  # fmt: skip


def test_rows_of_cities_that_are_not_there_are_left_out(copy: Copy) -> None:
    """A subset of the ten cities has neither records nor rows of the others."""
    north = FLIGHT | {"FlightID": "CA2", "To": "北京首都国际机场"}
    lines = "\n".join(json.dumps(row, ensure_ascii=False) for row in (north, FLIGHT))
    copy.text("intercity_transport/airplane.jsonl", lines)
    away = TRAIN | {"To": "北京西站"}
    copy.json("intercity_transport/train/from_武汉_to_北京.json", [away])
    report = copy.report()
    assert (report.rows["trains"], report.rows["flights"]) == (1, 1)
    assert [row.FlightID for row in open_world(report.path).extra(kinds.FLIGHTS, kinds.ALL)] == ["CA1"]


def test_a_row_off_its_model_is_named_by_file_line_and_field_once() -> None:
    problems = Problems()
    rows = [
        Row("poi.json", line, {}, given)
        for line, given in enumerate(
            ({"name": "甲", "position": [30, 114]}, {"name": 1}, {"name": 2}), start=1
        )
    ]
    problems.add("poi.json", 3, "no name")
    assert [kept.row.model_dump() for kept in keep(rows, kinds.POINTS, "武汉市", problems)] == [
        {"name": "甲", "position": (30, 114)}
    ]
    assert [str(problem) for problem in sorted(problems.problems)] == [
        "poi.json:2: name: Input should be a valid string; position: Field required",
        "poi.json:3: no name",
    ]


def test_points_become_landmarks_and_stations_once(copy: Copy) -> None:
    world = copy.world()
    assert {(place.name, place.category) for place in world.places("武汉", "landmark")} == {
        ("武汉站", "火车站"),
        ("某广场", ""),
    }
    (station,) = world.stations("武汉", "train")
    assert (station.name, station.longitude, station.latitude) == ("武汉站", 114.42, 30.61)


def test_a_metro_stop_has_all_lines_and_reads_longitude_first(copy: Copy) -> None:
    copy.metro("114.30,30.58", "114.301,30.58", "114.60,30.60")
    stops = {stop.name: stop for stop in copy.world().stations("武汉", "metro")}
    assert stops["江汉路"].lines == ("1号线", "2号线")
    assert (stops["江汉路"].longitude, stops["江汉路"].latitude) == (114.30, 30.58)
    assert stops["江汉路(3号线)"].lines == ("3号线",)


def test_cities_have_a_climate_and_facts(copy: Copy) -> None:
    world = copy.world()
    july = world.climate("武汉", 7)
    assert july is not None
    assert july.high > 30
    assert any("甲园" in fact.text for fact in world.facts("武汉 景点"))
    assert any("高铁" in fact.text for fact in world.facts("武汉市到南京市的交通"))


def test_progress_rises_to_its_total(copy: Copy) -> None:
    seen: list[tuple[int, int, str]] = []
    import_china10(
        copy.folder, copy.target, "small", lambda done, total, label: seen.append((done, total, label))
    )
    assert [done for done, _, _ in seen] == list(range(1, len(seen) + 1))
    assert {total for _, total, _ in seen} == {len(seen)}


def test_two_imports_are_equal(copy: Copy) -> None:
    assert copy.report().hash == copy.report().hash


# What aborts

BREAKS: list[tuple[str, Callable[[Copy], None], str]] = [
    (
        "no name",
        lambda c: c.attractions(_attraction(), _attraction(" ")),
        "attractions/wuhan/attractions.csv:3: no name",
    ),
    (
        "no hotel name",
        lambda c: c.hotels(c.hotel("", 30.5, 114.3)),
        "accommodations/wuhan/accommodations.csv:2: no name",
    ),
    ("no train number", lambda c: c.trains(TRAIN | {"TrainID": ""}), ".json:2: no name (TrainID)"),
    (
        "elsewhere",
        lambda c: c.attractions(_attraction(lat="40.0")),
        "attractions.csv:2: 丙寺 lies elsewhere: 40, 114.3 is 10",
    ),
    (
        "swapped",
        lambda c: c.restaurants("0,丁,114.3,30.5,1.0,川菜,9:00,10:00,"),
        "restaurants_wuhan.csv:2: 丁 lies elsewhere",
    ),
    (
        "point elsewhere",
        lambda c: c.json("poi/wuhan/poi.json", [{"name": "甲", "position": [40, 116]}]),
        "poi.json:2: 甲 lies elsewhere",
    ),
    ("stop elsewhere", lambda c: c.metro("30.58,114.30"), "subways.json:3: 江汉路 lies elsewhere"),
    ("station elsewhere", lambda c: c.trains(TRAIN, TRAIN | {"To": "北京站"}), ":12: 北京站 lies elsewhere"),
    ("no number", lambda c: c.attractions(_attraction(lat="x")), "latitude 'x' is not a number"),
    ("nan", lambda c: c.attractions(_attraction(lat="nan")), "latitude 'nan' is not a number"),
    ("bad time", lambda c: c.attractions(_attraction(hours="9:00,25:00")), "endtime '25:00' is no time"),
    (
        "too good",
        lambda c: c.attractions(_attraction(star="7")),
        "rating: Input should be less than or equal to 5",
    ),
    ("no type", lambda c: c.attractions(_attraction(kinds="{}")), "no type"),
    (
        "negative price",
        lambda c: c.restaurants("0,丁,30.5,114.3,-1,川菜,9:00,10:00,"),
        "price: Input should be",
    ),
    ("free room", lambda c: c.hotels(c.hotel("丁", 30.5, 114.3, twin=0)), "double_bed_price is 0"),
    ("short row", lambda c: c.attractions("1,丙寺"), "attractions.csv:2: 2 cells, the header has 11"),
    ("open quote", lambda c: c.attractions('1,"丙寺'), "not CSV"),
    (
        "no column",
        lambda c: c.csv("attractions/wuhan/attractions.csv", "id,name"),
        "attractions.csv:1: no column endtime, lat",
    ),
    (
        "missing file",
        lambda c: (c.folder / "poi/wuhan/poi.json").unlink(),
        "poi/wuhan/poi.json:1: the file is missing",
    ),
    ("empty file", lambda c: c.text("poi/wuhan/poi.json", ""), "poi/wuhan/poi.json:1: the file is empty"),
    ("not UTF-8", lambda c: c.text("poi/wuhan/poi.json", "汉站", "gbk"), "poi/wuhan/poi.json:1: not UTF-8"),
    ("unknown type", lambda c: c.trains(TRAIN | {"TrainType": "磁浮"}), "unknown TrainType '磁浮'"),
    ("no key", lambda c: c.trains({"TrainID": "G1"}), "no TrainType"),
    (
        "no airport",
        lambda c: c.text("intercity_transport/airplane.jsonl", json.dumps(FLIGHT | {"To": "巴黎机场"})),
        "airplane.jsonl:1: '巴黎机场' is a station of no known city",
    ),
    ("bad line", lambda c: c.text("intercity_transport/airplane.jsonl", "\n{"), "airplane.jsonl:2: not JSON"),
    (
        "bad pair",
        lambda c: c.json("intercity_transport/train/from_武汉_to_巴黎.json", []),
        "from_武汉_to_巴黎.json:1: the file's name",
    ),
    (
        "unknown city",
        lambda c: c.text("attractions/paris/attractions.csv", ATTRACTIONS),
        "attractions/paris:1: not one of the ten",
    ),
    (
        "bad metro",
        lambda c: c.json("transportation/subways.json", {"wuhan": [{"name": "1号线", "stations": 3}]}),
        "subways.json:3: the stations of 1号线",
    ),
    (
        "metro of nowhere",
        lambda c: c.json("transportation/subways.json", {"paris": [{"name": "1号线", "stations": []}]}),
        "subways.json:3: paris is not one of the ten cities",
    ),
    (
        "missing trains",
        lambda c: (c.folder / "intercity_transport/train/from_南京_to_武汉.json").unlink(),
        "from_南京_to_武汉.json:1: the file is missing",
    ),
    (
        "missing table",
        lambda c: (c.folder / "attractions/wuhan/attractions.csv").unlink(),
        "attractions/wuhan/attractions.csv:1: the file is missing",
    ),
    ("no rows", lambda c: c.attractions(), "attractions/wuhan/attractions.csv:1: no rows under the header"),
    (
        "no file",
        lambda c: c.folder_at("poi/wuhan/poi.json"),
        "poi/wuhan/poi.json:1: the file can't be read",
    ),
    (
        "more than an array",
        lambda c: c.text("poi/wuhan/poi.json", '[{"name": "甲", "position": [30.6, 114.3]}]\n]'),
        "poi/wuhan/poi.json:2: not JSON: something follows the end",
    ),
    (
        "more than an object",
        lambda c: c.text("transportation/subways.json", '{"wuhan": []}\n{}'),
        "subways.json:2: not JSON: something follows the end",
    ),
    (
        "half a room",
        lambda c: c.hotels("0,丁,X,泳池,30.5,114.3,200,0,250,1,300,1.5,400,3"),
        "double_bed_stock is 1.5",
    ),
    (
        "less than none",
        lambda c: c.hotels("0,丁,X,泳池,30.5,114.3,200,-2,250,1,300,1,400,3"),
        "single_room_stock is -2",
    ),
    (
        "metro no object",
        lambda c: c.json("transportation/subways.json", []),
        "subways.json:1: not JSON: expected an object",
    ),
]


@pytest.mark.parametrize(("_", "damage", "message"), BREAKS, ids=[name for name, _, _ in BREAKS])
def test_a_bad_row_aborts_with_file_and_line(
    copy: Copy, _: str, damage: Callable[[Copy], None], message: str
) -> None:
    damage(copy)
    (problem,) = copy.problems()
    assert message in problem


def test_all_bad_rows_of_all_files_are_listed_in_order(copy: Copy) -> None:
    copy.attractions(_attraction(""), _attraction(), _attraction(lat="0"))
    copy.trains(TRAIN | {"Cost": None}, TRAIN, TRAIN | {"BeginTime": "9h"})
    assert [problem.split(": ")[0] for problem in copy.problems()] == [
        "attractions/wuhan/attractions.csv:2",
        "attractions/wuhan/attractions.csv:4",
        "intercity_transport/train/from_武汉_to_南京.json:2",
        "intercity_transport/train/from_武汉_to_南京.json:22",
    ]


def test_lines_are_counted_through_quoted_line_breaks(copy: Copy) -> None:
    copy.restaurants('0,甲,30.5,114.3,1.0,川菜,9:00,10:00,"鱼,\n肉"', "1,,30.5,114.3,1.0,川菜,9:00,10:00,")
    (problem,) = copy.problems()
    assert problem.startswith("restaurants/wuhan/restaurants_wuhan.csv:4:")


def test_an_aborted_import_leaves_the_old_pack(copy: Copy) -> None:
    before = copy.report()
    copy.attractions(_attraction(""))
    with pytest.raises(ImportAborted):
        copy.report()
    assert open_world(copy.target).pack_hash == before.hash


def test_many_problems_are_told_so_far_and_counted() -> None:
    problems = [Problem("poi.json", line, "bad") for line in range(1, 301)]
    told = str(ImportAborted(problems)).splitlines()
    assert len(told) == 201 and told[-1] == "… and 100 more"


def test_a_file_of_the_source_has_a_bound(copy: Copy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.worlds.china10.reading.LARGEST_FILE", 100)
    with pytest.raises(ImportAborted, match="larger than"):
        copy.report()


def test_an_empty_folder_is_no_source(tmp_path: Path) -> None:
    with pytest.raises(ImportAborted, match="no folder of a known city"):
        import_china10(tmp_path, tmp_path / "world.pack", "small")


@given(st.integers(min_value=1, max_value=200))
def test_a_truncated_json_file_is_one_problem(cut: int) -> None:
    text = json.dumps([TRAIN, FLIGHT], ensure_ascii=False, indent=1)
    problems = Problems()
    with TemporaryDirectory() as folder:
        Path(folder, "x.json").write_text(text[: len(text) - cut], "utf-8")
        rows = list(Source(Path(folder), problems).json_array("x.json"))
    assert len(rows) < 2 or text[-cut:].strip() == "]"
    assert len(problems.problems) == 1


@given(st.integers(min_value=0, max_value=1440), st.integers(min_value=0, max_value=1440))
def test_windows_cover_the_time_between_opening_and_closing(opens: int, closes: int) -> None:
    hours = opening_hours(f"{opens // 60}:{opens % 60:02d}", f"{closes // 60:02d}:{closes % 60:02d}")
    if hours.always_open:
        assert (closes - opens) % 1440 == 0
        return
    windows = [(minute(w.open, "open"), minute(w.close, "close")) for w in hours.rules[0].time_windows]
    assert all(a < b for a, b in windows)
    assert windows == sorted(windows)
    assert sum(b - a for a, b in windows) == (closes - opens) % 1440


@given(st.text(max_size=6))
def test_a_time_is_read_or_refused(text: str) -> None:
    try:
        assert 0 <= minute(text, "opentime") <= 1440
    except ValueError as error:
        assert "no time" in str(error)


@pytest.mark.reference
@pytest.mark.slow
def test_the_real_data_imports_with_known_gaps_only(ten_cities: ImportReport) -> None:
    report = ten_cities
    world = open_world(report.path)
    assert (report.counts["attraction"], report.counts["restaurant"]) == (3411, 4655)
    assert report.counts["hotel"] + report.gaps["hotels_listed_again"] == 4976
    assert report.counts["service"] + report.gaps["services_listed_again"] == 8089 + 1703
    assert report.gaps["stars_missing"] == 3
    assert "stations_without_position" not in report.gaps
    assert report.rows == {
        "attractions": 3411, "restaurants": 4655, "hotels": 4976, "points": 13271, "trains": 8089, "flights": 1703,
        "metro": 161,
    }  # fmt: skip
    stars = [row.star for city in world.cities() for row in world.extra(kinds.ATTRACTIONS, city.name)]
    assert stars.count("") == 3
    assert check_world(world) == check_extras(world, declared_extras()) == []
    places = [place for city in world.cities() for place in world.places(city.name)]
    assert {(place.reviews, place.phone) for place in places} == {(None, "")}, "the source has neither"
    runs = [*world.services("北京市", "上海市"), *world.services("成都市", "深圳市")]
    assert {(run.classes, run.calls, run.aircraft) for run in runs} == {((), None, "")}, "nor these"
    assert {h.category for c in world.cities() for h in world.places(c.name, "hotel")} == set(HOTEL_CLASSES)


TRAINS = "intercity_transport/train/from_武汉_to_南京.json"
HALF = {
    TRAINS: ('"G1"', '"G\\ud83d"', "TrainID"),
    "intercity_transport/airplane.jsonl": ('"CA1"', '"CA\\ud83d"', "FlightID"),
    "poi/wuhan/poi.json": ('"武汉站"', '"武汉\\udc00站"', "name"),
    "transportation/subways.json": ('"江汉路"', '"江汉路\\ud83d"', "stations"),
}


@pytest.mark.parametrize("file", HALF)
def test_half_a_character_is_named_by_file_line_and_field(copy: Copy, file: str) -> None:
    whole, half, field = HALF[file]
    text = (copy.folder / file).read_text("utf-8")
    assert whole in text
    copy.text(file, text.replace(whole, half))
    [problem] = copy.problems()
    assert problem.startswith(f"{file}:") and f"{field} holds half a character" in problem


@pytest.mark.parametrize("figure", ["9" * 5_000, "9" * 400, "1e300", "-1e999", "NaN"])
@pytest.mark.parametrize("file", [TRAINS, "intercity_transport/airplane.jsonl", "poi/wuhan/poi.json"])
def test_a_figure_that_is_none_or_too_large_is_told_in_short(copy: Copy, file: str, figure: str) -> None:
    text = (copy.folder / file).read_text("utf-8")
    found, count = re.subn(r"(Cost\": |\n *)(\d+\.\d+)", rf"\g<1>{figure}", text, count=1)
    assert count == 1
    copy.text(file, found)
    [problem, *more] = copy.problems()
    assert problem.startswith(f"{file}:") and len(problem) < 200 and not more


@pytest.mark.parametrize("file", HALF)
@pytest.mark.parametrize("depth", [700, 100_000])
def test_deep_nesting_is_told_in_short(copy: Copy, file: str, depth: int) -> None:
    whole = HALF[file][0]
    text = (copy.folder / file).read_text("utf-8")
    copy.text(file, text.replace(whole, "[" * depth + "]" * depth))
    [problem, *more] = copy.problems()
    assert problem.startswith(f"{file}:") and len(problem) < 200 and not more


def test_a_line_that_goes_on_on_the_next_one_is_one_problem(copy: Copy) -> None:
    copy.text("intercity_transport/airplane.jsonl", json.dumps(FLIGHT, ensure_ascii=False, indent=1))
    [problem] = copy.problems()
    assert problem.startswith("intercity_transport/airplane.jsonl:1: ") and "jq -c" in problem


def test_what_macos_keeps_beside_files_is_passed_over(copy: Copy) -> None:
    copy.text("intercity_transport/train/._from_武汉_to_南京.json", "\0\5\x16\7")
    (copy.folder / "attractions" / "._wuhan").mkdir()
    assert copy.report().counts["service"] == 2
