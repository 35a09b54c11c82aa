"""The records a world is made of: what importers yield and the pack stores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

PlaceKind = Literal["attraction", "restaurant", "hotel", "landmark"]
Mode = Literal["高铁", "火车", "飞机"]
WindDirection = Literal["", "北", "东北", "东", "东南", "南", "西南", "西", "西北"]
Force = Annotated[int, Field(ge=0, le=12)]
ClockTime = Annotated[str, StringConstraints(pattern=r"^([01]\d|2[0-3]):[0-5]\d$|^24:00$")]
MonthDay = Annotated[str, StringConstraints(pattern=r"^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$")]

HOTEL_CLASSES = (
    "舒适型", "经济型", "高档型", "民宿", "商务酒店", "豪华型", "快捷酒店", "旅馆", "客栈", "度假酒店", "电竞酒店",
    "公寓式酒店", "主题酒店",
)  # fmt: skip


class Record(BaseModel):
    """Immutable, and strict about unknown fields, so that a misspelt key in a data file is found."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class DateRange(Record):
    """Days of the year, both ends included; may wrap over New Year (start after end)."""

    start: MonthDay
    end: MonthDay


class TimeWindow(Record):
    open: ClockTime
    close: ClockTime


class OpeningRule(Record):
    """When `date_range` (None: all year) holds the day: open on `weekdays` (1 Monday) in `time_windows`."""

    date_range: DateRange | None = None
    weekdays: tuple[Annotated[int, Field(ge=1, le=7)], ...] = (1, 2, 3, 4, 5, 6, 7)
    time_windows: tuple[TimeWindow, ...]


class OpeningHours(Record):
    """The published catalogue's shape of opening hours; the first rule that covers a date decides."""

    always_open: bool = False
    rules: tuple[OpeningRule, ...] = ()


class Room(Record):
    """A room type of a hotel: `price` in CNY per room and night, `capacity` in persons."""

    name: str
    price: float = Field(ge=0)
    capacity: int = Field(ge=1, default=2)
    stock: int | None = None


class Fare(Record):
    """A seat or cabin class of a service: its name (二等座, 经济舱 …) and CNY a person."""

    name: str = Field(min_length=1)
    price: float = Field(ge=0)


class Call(Record):
    """A stop on the way: local times of arrival and departure."""

    station: str = Field(min_length=1)
    arrive: ClockTime
    depart: ClockTime


class City(Record):
    """`name` as tasks write it (杭州市); `aliases` are other names (杭州). Coordinates are degrees."""

    name: str
    aliases: tuple[str, ...] = ()
    province: str = ""
    longitude: float = Field(ge=70, le=140)
    latitude: float = Field(ge=15, le=55)
    radius_km: float = Field(gt=0, default=80, description="A place farther from the centre is in doubt")
    destination: bool = True


class Place(Record):
    """An attraction, restaurant, hotel or landmark (station, airport, square: something to route to).

    price: CNY per person: the adult ticket, the average meal, or a night in a hotel when two share a twin room.
    category: the catalogue category (attraction category, cuisine, hotel class); categories: all that apply.
    stay_hours: (shortest, longest) sensible visit. reviews: how many people rated it. derived: names of fields filled
    by rule, not by the source.
    """

    id: str
    city: str
    kind: PlaceKind
    name: Annotated[str, StringConstraints(min_length=1)]
    category: str = ""
    categories: tuple[str, ...] = ()
    longitude: float = Field(ge=70, le=140)
    latitude: float = Field(ge=15, le=55)
    address: str = ""
    price: float | None = Field(default=None, ge=0)
    rating: float | None = Field(default=None, ge=0, le=5)
    reviews: int | None = Field(default=None, ge=0)
    phone: str = ""
    stay_hours: tuple[float, float] | None = None
    opening_hours: OpeningHours | None = None
    rooms: tuple[Room, ...] = ()
    dishes: tuple[str, ...] = ()
    description: str = ""
    popularity: int = Field(default=0, description="Rank for ties: higher is better known")
    derived: tuple[str, ...] = ()


class Station(Record):
    """Where services or the metro stop. `lines` are metro lines; empty for railway stations and airports."""

    name: str
    city: str
    kind: Literal["train", "airport", "metro"]
    longitude: float
    latitude: float
    lines: tuple[str, ...] = ()


class Service(Record):
    """A train or flight that runs every day. Times are local; `day_offset` counts midnights before arrival.

    classes: all that can be booked, the cheapest first, empty where the source gives one price alone. calls: where it
    stops on the way, in order, None where the source does not say.
    """

    number: str
    mode: Mode
    type: str = Field(description="高铁, 动车, 城际, 直达, 特快, 快速, 普快, 航班 …")
    origin_city: str
    destination_city: str
    origin_station: str
    destination_station: str
    depart: ClockTime
    arrive: ClockTime
    day_offset: int = Field(ge=0, le=3, default=0)
    duration_minutes: int = Field(gt=0)
    price: float = Field(ge=0, description="CNY, second class, hard seat or economy class")
    classes: tuple[Fare, ...] = ()
    calls: tuple[Call, ...] | None = None
    operator: str = ""
    aircraft: str = ""
    generated: bool = False


class Climate(Record):
    """A usual month: degrees Celsius, days with rain, a word for the sky, and where the wind mostly comes from.

    wind: 北, 东北, … in the eight directions, empty where the source does not say. wind_force: from and to, Beaufort.
    """

    city: str
    month: int = Field(ge=1, le=12)
    low: float
    high: float
    rainy_days: float = Field(ge=0, le=31)
    text: str
    wind: WindDirection = ""
    wind_force: tuple[Force, Force] | None = None


class Fact(Record):
    """Something `web_search` may answer with. `keywords` are what a question about it would contain."""

    city: str = ""
    title: str
    text: str
    keywords: tuple[str, ...] = ()


CATEGORIES: Final = {"train": "火车站", "airport": "机场"}


def station_landmarks(prefix: str, stations: Iterable[Station], taken: set[str]) -> Iterator[Place]:
    """A landmark for each railway station and airport whose name is not in `taken`; metro stops are none."""
    reachable = (station for station in stations if station.kind in CATEGORIES and station.name not in taken)
    for position, station in enumerate(reachable, start=1):
        category = CATEGORIES[station.kind]
        yield Place(
            id=f"{prefix}-s-{position:03d}",
            city=station.city,
            kind="landmark",
            name=station.name,
            category=category,
            categories=(category,),
            longitude=station.longitude,
            latitude=station.latitude,
        )
