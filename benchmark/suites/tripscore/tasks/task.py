"""A task of TripScore: a query with all the data that a plan may use (sole planning)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date, datetime
from functools import cached_property
from typing import Annotated, Any, Final, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from benchmark.plans.clock import calendar_day
from benchmark.suites.tripscore.tasks.calendars import Calendar
from benchmark.suites.tripscore.tasks.names import fold_name
from benchmark.suites.tripscore.tasks.numbers import Number, Whole
from benchmark.text import guarded
from sandbox.worlds.geo import Point

SYNTHETIC, REAL = "synthetic", "real"
SPLITS: Final = ("train", "validation", "test")
BANDS: Final[Mapping[str, str]] = {
    "budget-conscious": "cost-effective",
    "cost-effective": "cost-effective",
    "best value": "comfortable",
    "comfortable": "comfortable",
    "premium": "high-end",
    "high-end": "high-end",
}
"""The band of stars of each budget; two words mean one."""
EFFORTS: Final = ("light", "moderate", "strenuous")
PACES: Final = ("relaxed", "moderate", "compact")
PACES_KEY: Final = "paces"
"""In the context of validation: the labels of pacing in force."""
_CHINESE, _LATIN = guarded.compile(r"[\u3400-\u9fff]"), guarded.compile(r"[A-Za-z]")
_LETTERS_OF_A_CHARACTER: Final = 2
_MOMENT = guarded.compile(r"\d{4}-\d{2}-\d{2}[Tt _]\d{1,2}:\d{2}")


def _as_text(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _none_for_blank(value: Any) -> Any:
    return None if isinstance(value, str) and not value.strip() else value


def _read_moment(value: Any) -> Any:
    """Numbers would be read as seconds since 1970, a day as its midnight."""
    if isinstance(value, datetime) or _none_for_blank(value) is None:
        return _none_for_blank(value)
    if not isinstance(value, str) or not _MOMENT.match(value.strip()):
        raise PydanticCustomError("moment", "not a date with a time; write it as YYYY-MM-DDThh:mm")
    return value


def _read_day(value: Any) -> Any:
    day = value if isinstance(value, date) else calendar_day(value)
    if day is None:
        raise PydanticCustomError("day", "not a date; write it as YYYY-MM-DD")
    return day


def _list_for_none(value: Any) -> Any:
    if isinstance(value, str):
        return [value] if value.strip() else []
    return [] if value is None else value


Name = Annotated[str, StringConstraints(min_length=1, max_length=300, pattern=r"\S")]
Id = Annotated[Name, BeforeValidator(_as_text)]
Words = Annotated[tuple[Name, ...], BeforeValidator(_list_for_none)]
Moment = Annotated[datetime | None, BeforeValidator(_read_moment)]
Degrees = Annotated[Number | None, Field(ge=-180, le=180)]


class Part(BaseModel):
    """A part of a task; keys that no rule reads are kept, and shown to models."""

    model_config = ConfigDict(frozen=True, extra="allow")


class Place(Part):
    """A place of the reference. lat, lon: degrees, None where unknown."""

    id: Id
    name: Name
    city: Name
    lat: Degrees = None
    lon: Degrees = None

    @cached_property
    def folded_name(self) -> str:
        """As names compare."""
        return fold_name(self.name)

    @cached_property
    def folded_city(self) -> str:
        """As names compare."""
        return fold_name(self.city)

    @property
    def point(self) -> Point | None:
        """Longitude and latitude; None where one is unknown."""
        return None if self.lat is None or self.lon is None else (self.lon, self.lat)


class Attraction(Place):
    """hours: the recommended stay, None where unknown."""

    tags: Words = ()
    hours: Annotated[Number | None, Field(ge=0, le=1000)] = None
    openTimeCalendar: Calendar | None = None

    @cached_property
    def folded_tags(self) -> frozenset[str]:
        """As names compare."""
        return frozenset(map(fold_name, self.tags))


class Hotel(Place):
    """star: 0 to 5, None where unknown."""

    star: Annotated[Number | None, Field(ge=0, le=5)] = None


class Leg(Part):
    """A train, a flight, a drive from one city to another. depart, arrive: local times."""

    id: Id
    mode: Name
    name: Name
    from_city: Name
    to_city: Name
    depart: Moment = None
    arrive: Moment = None

    @field_validator("depart", "arrive")
    @classmethod
    def _drop_zone(cls, moment: datetime | None) -> datetime | None:
        return moment.replace(tzinfo=None) if moment else None

    @cached_property
    def ends(self) -> tuple[str, str]:
        """Both cities, as names compare."""
        return fold_name(self.from_city), fold_name(self.to_city)

    @cached_property
    def folded_name(self) -> str:
        """As names compare."""
        return fold_name(self.name)

    @property
    def times(self) -> tuple[datetime, datetime] | None:
        """When it leaves and arrives; None where one of the two is unknown."""
        return None if self.depart is None or self.arrive is None else (self.depart, self.arrive)


class Reference(Part):
    """Everything that a plan may use."""

    attractions: tuple[Attraction, ...]
    hotels: tuple[Hotel, ...]
    transportation: tuple[Leg, ...]

    @model_validator(mode="after")
    def _refuse_repeated_ids(self) -> Reference:
        entries: tuple[Place | Leg, ...] = (*self.attractions, *self.hotels, *self.transportation)
        if not entries:
            raise PydanticCustomError("no_data", "there are no attractions, hotels or transport; give them")
        twice = [id_ for id_, count in Counter(entry.id for entry in entries).items() if count > 1]
        if twice:
            words = "the id “{id}” is there twice; each is unique over the three lists"
            raise PydanticCustomError("repeated_id", words, {"id": twice[0]})
        return self


class Preferences(Part):
    """What the traveller wants, as far as they say it."""

    budget: str | None = None
    pacing: str | None = None
    attraction: Words = ()
    effort: str | None = None

    @field_validator("budget", "pacing", "effort")
    @classmethod
    def _refuse_unknown(cls, value: str | None, info: ValidationInfo) -> str | None:
        own = {"budget": BANDS, "effort": EFFORTS, "pacing": (info.context or {}).get(PACES_KEY, PACES)}
        known = own[str(info.field_name)]
        if value is not None and fold_name(value) not in map(fold_name, known):
            shown = {"value": value[:60], "known": ", ".join(known)}
            raise PydanticCustomError(
                "unknown_wish", "“{value}” is not one of {known}; write one of them", shown
            )
        return value


class Query(Part):
    """What is asked for. type: synthetic (with preferences) or real (with a person's words)."""

    type: Literal["synthetic", "real"]
    departure_city: Annotated[Name | None, BeforeValidator(_none_for_blank)] = None
    cities: Annotated[tuple[Name, ...], BeforeValidator(_list_for_none), Field(min_length=1, max_length=60)]
    days: Annotated[Whole, Field(ge=1, le=366)]
    start_date: Annotated[
        date,
        BeforeValidator(_read_day),
        Field(ge=date(1900, 1, 1), le=date(2200, 12, 31)),
    ]
    return_required: bool | None = None
    fixed_order: Annotated[bool, BeforeValidator(lambda value: False if value is None else value)] = False
    preferences: Annotated[Preferences, BeforeValidator(lambda value: {} if value is None else value)] = (
        Preferences()
    )
    user_request: Annotated[str, BeforeValidator(lambda value: "" if value is None else value)] = ""

    @cached_property
    def folded_departure(self) -> str | None:
        """As names compare."""
        return fold_name(self.departure_city) if self.departure_city else None

    @cached_property
    def folded_cities(self) -> tuple[str, ...]:
        """As names compare, in order."""
        return tuple(map(fold_name, self.cities))

    @property
    def returns(self) -> bool:
        """Whether the journey leads back; by default where it has a departure city."""
        return self.departure_city is not None if self.return_required is None else self.return_required

    @property
    def leaves_from_outside(self) -> bool:
        """Whether there is a departure city that is none of the cities."""
        return self.folded_departure is not None and self.folded_departure not in self.folded_cities


class Task(Part):
    """A query with its reference data; a line of a task file is a case without plan, answer, ratings and params."""

    id: Id
    query: Query
    reference: Reference

    @property
    def task_id(self) -> str:
        """The id."""
        return self.id

    @property
    def split(self) -> str:
        """`train`, `validation`, `test`, or what else a file calls it under this key; "" where it tells none."""
        return str((self.model_extra or {}).get("split") or "")

    @property
    def users(self) -> tuple[str, ...]:
        """Nobody talks with the agent after the request."""
        return ()

    @property
    def language(self) -> Literal["zh", "en"]:
        """That of most of the request, which may name places in the other one; else of the cities."""
        words = self.query.user_request or "".join(self.query.cities)
        chinese, latin = (len(letters.findall(words)) for letters in (_CHINESE, _LATIN))
        return "zh" if chinese * _LETTERS_OF_A_CHARACTER > latin else "en"
