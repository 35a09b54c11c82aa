"""A world small enough to know by heart: Hangzhou and Suzhou to visit, Shanghai to start from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.worlds import PackBuilder, World, open_world
from sandbox.worlds.builder import AnyRecord
from sandbox.worlds.records import (
    City,
    Climate,
    DateRange,
    Fact,
    OpeningHours,
    OpeningRule,
    Place,
    Room,
    Service,
    Station,
    TimeWindow,
)

ALL_DAY = OpeningHours(always_open=True)
MUSEUM_HOURS = OpeningHours(
    rules=(
        OpeningRule(
            date_range=DateRange(start="05-01", end="10-07"),
            weekdays=(2, 3, 4, 5, 6, 7),
            time_windows=(TimeWindow(open="09:00", close="18:00"),),
        ),
        OpeningRule(weekdays=(2, 3, 4, 5, 6, 7), time_windows=(TimeWindow(open="09:00", close="17:00"),)),
    )
)
MEAL_HOURS = OpeningHours(
    rules=(
        OpeningRule(
            time_windows=(TimeWindow(open="11:00", close="14:00"), TimeWindow(open="17:00", close="21:30"))
        ),
    )
)

CITIES = (
    City(name="杭州市", aliases=("杭州", "Hangzhou"), province="浙江", longitude=120.155, latitude=30.274),
    City(name="苏州市", aliases=("苏州",), province="江苏", longitude=120.585, latitude=31.299),
    City(name="上海市", aliases=("上海",), longitude=121.474, latitude=31.230, destination=False),
)

PLACES = (
    Place(
        id="hz-a1", city="杭州市", kind="attraction", name="西湖", category="自然风光",
        categories=("自然风光", "网红打卡点"), longitude=120.1446, latitude=30.2478,
        address="西湖区龙井路1号", price=0, rating=4.9, stay_hours=(2, 4), opening_hours=ALL_DAY, popularity=100,
        description="湖光山色，断桥、苏堤、三潭印月。",
    ),
    Place(
        id="hz-a2", city="杭州市", kind="attraction", name="浙江省博物馆", category="博物馆",
        longitude=120.1420, latitude=30.2560, address="西湖区孤山路25号", price=0, rating=4.7, stay_hours=(2, 3),
        opening_hours=MUSEUM_HOURS, popularity=60,
    ),
    Place(
        id="hz-a3", city="杭州市", kind="attraction", name="西湖音乐喷泉", category="网红打卡点",
        longitude=120.1600, latitude=30.2530, address="上城区湖滨路", price=0, rating=4.5, popularity=50,
    ),
    Place(
        id="hz-a4", city="杭州市", kind="attraction", name="灵隐寺", category="寺庙", longitude=120.0967,
        latitude=30.2406, address="西湖区灵隐路法云弄1号", price=75, rating=4.8, popularity=90,
    ),
    Place(
        id="hz-r1", city="杭州市", kind="restaurant", name="楼外楼（孤山路店）", category="杭帮菜",
        longitude=120.1405, latitude=30.2545, address="西湖区孤山路30号", price=160, rating=4.3,
        opening_hours=MEAL_HOURS, dishes=("西湖醋鱼", "东坡肉"), popularity=40,
    ),
    Place(
        id="hz-r2", city="杭州市", kind="restaurant", name="川味火锅", category="火锅", longitude=120.1630,
        latitude=30.2600, address="上城区延安路2号", price=95, rating=4.1, dishes=("毛肚", "鸭血"),
        popularity=20,
    ),
    Place(
        id="hz-r3", city="杭州市", kind="restaurant", name="小龙坎", category="火锅", longitude=120.1700,
        latitude=30.2650, address="拱墅区武林路", price=110, rating=4.4, popularity=30,
    ),
    Place(
        id="hz-r4", city="杭州市", kind="restaurant", name="知味观", category="小吃", longitude=120.1610,
        latitude=30.2550, address="上城区仁和路83号", price=50, rating=4.2, dishes=("小笼", "火锅冒菜"),
    ),
    Place(
        id="hz-h1", city="杭州市", kind="hotel", name="西湖国宾馆", category="豪华型", longitude=120.1290,
        latitude=30.2370, price=900, rating=4.8,
        rooms=(Room(name="双床房", price=1800), Room(name="家庭房", price=2600, capacity=4, stock=2)),
    ),
    Place(
        id="hz-h2", city="杭州市", kind="hotel", name="湖滨快捷酒店", category="快捷酒店", longitude=120.1625,
        latitude=30.2535, price=120, rating=4.0, rooms=(Room(name="双床房", price=240),),
        derived=("category",),
    ),
    Place(
        id="hz-l1", city="杭州市", kind="landmark", name="武林广场", category="广场", longitude=120.1650,
        latitude=30.2720,
    ),
    Place(
        id="sz-a1", city="苏州市", kind="attraction", name="拙政园", category="园林", longitude=120.6290,
        latitude=31.3240, address="姑苏区东北街178号", price=80, rating=4.8, popularity=95,
    ),
    Place(
        id="sz-r1", city="苏州市", kind="restaurant", name="松鹤楼火锅", category="火锅", longitude=120.6270,
        latitude=31.3120, price=130, rating=4.4,
    ),
)  # fmt: skip

STATIONS = (
    Station(name="杭州东站", city="杭州市", kind="train", longitude=120.2126, latitude=30.2906),
    Station(name="杭州萧山国际机场", city="杭州市", kind="airport", longitude=120.4344, latitude=30.2295),
    Station(name="上海虹桥站", city="上海市", kind="train", longitude=121.3200, latitude=31.1940),
    Station(
        name="龙翔桥", city="杭州市", kind="metro", longitude=120.1640, latitude=30.2545, lines=("1号线",)
    ),
    Station(
        name="火车东站", city="杭州市", kind="metro", longitude=120.2120, latitude=30.2900,
        lines=("1号线", "4号线"),
    ),
    Station(name="市民中心", city="杭州市", kind="metro", longitude=120.2110, latitude=30.2430,
        lines=("4号线",)),
)  # fmt: skip

SERVICES = (
    Service(
        number="G7301", mode="高铁", type="高铁", origin_city="上海市", destination_city="杭州市",
        origin_station="上海虹桥站", destination_station="杭州东站", depart="07:00", arrive="07:55",
        duration_minutes=55, price=73,
    ),
    Service(
        number="D5581", mode="高铁", type="动车", origin_city="上海市", destination_city="杭州市",
        origin_station="上海虹桥站", destination_station="杭州东站", depart="09:30", arrive="10:50",
        duration_minutes=80, price=49,
    ),
    Service(
        number="K75", mode="火车", type="快速", origin_city="上海市", destination_city="杭州市",
        origin_station="上海站", destination_station="杭州站", depart="23:10", arrive="01:40", day_offset=1,
        duration_minutes=150, price=24.5,
    ),
    Service(
        number="CA1701", mode="飞机", type="航班", origin_city="上海市", destination_city="杭州市",
        origin_station="上海浦东国际机场", destination_station="杭州萧山国际机场",
        depart="12:00", arrive="12:50",
        duration_minutes=50, price=420, operator="中国国际航空", generated=True,
    ),
)  # fmt: skip

CLIMATES = tuple(
    Climate(city="杭州市", month=month, low=low, high=low + 8, rainy_days=rain, text="多云")
    for month, low, rain in ((1, 1.0, 12), (5, 17.0, 14), (7, 26.0, 0))
)

FACTS = (
    Fact(
        city="杭州市", title="西湖音乐喷泉表演时间", text="平日晚上19:30和20:00各一场，雨天取消。",
        keywords=("音乐喷泉", "喷泉"),
    ),
    Fact(title="儿童高铁票", text="未满6周岁的儿童可免费乘车但不占座位。", keywords=("儿童票", "免费乘车")),
)  # fmt: skip

RECORDS: tuple[AnyRecord, ...] = (*CITIES, *PLACES, *STATIONS, *SERVICES, *CLIMATES, *FACTS)


@pytest.fixture(scope="session")
def tiny_pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny world's file."""
    path = tmp_path_factory.mktemp("worlds") / "tiny.pack"
    with PackBuilder(path, "tiny", "the test suite", "for tests") as builder:
        builder.add_all(RECORDS)
        builder.finish({"places": len(PLACES)})
    return path


@pytest.fixture
def tiny_world(tiny_pack: Path) -> Iterator[World]:
    """A handle on the tiny world, for this test alone."""
    world = open_world(tiny_pack)
    yield world
    world.close()
