"""The form of a plan (`structural_validity`), and a plan of that form as the rules read it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from functools import lru_cache
from typing import Any, Final, NamedTuple

from benchmark.plans.hours import DAY
from benchmark.plans.view import Mark, Where
from benchmark.text import guarded

PLAN: Final = "trip_plan"
CHECK_IN, LEG, LOCAL, HOTEL, ATTRACTION, RESTAURANT = (
    *("Flight Check-in", "Intercity Transportation", "Local Transportation"),
    *("Hotel Check-in", "Attraction", "Restaurant"),
)
TYPES: Final = (CHECK_IN, LEG, LOCAL, HOTEL, ATTRACTION, RESTAURANT)
ITEM_TYPES: Final = (LEG, ATTRACTION, RESTAURANT)
"""Types of activities that name an item and its products."""
_DATE = guarded.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME = guarded.compile(r"([0-9]{2}):([0-9]{2})-([0-9]{2}):([0-9]{2})")
_TIME_LENGTH, _MOST_SPANS = len("09:00-10:00"), 8_192
_PLAN_KEYS: Final = ("start_date", "end_date", "number_of_people", "daily_schedule")
_ACTIVITY_KEYS: Final = ("time", "type", "description")


class Purchase(NamedTuple):
    """A product and how many of it."""

    id: str
    number: int


class Activity(NamedTuple):
    """start, end: minutes of its day; an overnight leg ends before it starts. id: of its item, "" for none."""

    at: Where
    type: str
    start: int
    end: int
    id: str = ""
    products: tuple[Purchase, ...] = ()
    text: str = ""

    @property
    def is_overnight(self) -> bool:
        """Whether it ends on the next day."""
        return self.end < self.start

    @property
    def minutes(self) -> int:
        """How long it takes."""
        return self.end - self.start + (DAY if self.is_overnight else 0)


class Stay(NamedTuple):
    """The hotel of a day and its rooms."""

    at: Where
    id: str
    rooms: tuple[Purchase, ...]


class Day(NamedTuple):
    """at: its number from 0."""

    number: int
    date: date
    stay: Stay | None
    activities: tuple[Activity, ...]

    def of_type(self, *types: str) -> list[Activity]:
        """Its activities of these types, in order."""
        return [activity for activity in self.activities if activity.type in types]

    @property
    def is_full(self) -> bool:
        """Whether no leg is in it."""
        return not any(activity.type == LEG for activity in self.activities)


class TripPlan(NamedTuple):
    """A plan of the right form."""

    start: date
    end: date
    people: int
    days: tuple[Day, ...]

    @property
    def nights(self) -> list[tuple[Day, Stay]]:
        """Days but the last that have a hotel, with it."""
        return [(day, day.stay) for day in self.days[:-1] if day.stay is not None]

    def of_type(self, *types: str) -> list[tuple[Day, Activity]]:
        """All activities of these types with their days, in order."""
        return [(day, activity) for day in self.days for activity in day.of_type(*types)]


# The form.


def form_faults(plan: object) -> Iterator[Mark]:
    """What is against the form of a plan, with the path to it."""
    if not isinstance(plan, Mapping):
        yield Mark((), "no_object", {"expected": PLAN})
        return
    yield from _key_faults(plan, (), (PLAN,))
    inner = plan.get(PLAN)
    if not isinstance(inner, Mapping):
        yield Mark((PLAN,), "no_object", {"expected": ", ".join(_PLAN_KEYS)})
        return
    yield from _key_faults(inner, (PLAN,), _PLAN_KEYS)
    for key in ("start_date", "end_date"):
        if _day_of(inner.get(key)) is None:
            yield _wrong((PLAN, key), "YYYY-MM-DD", inner.get(key))
    if not _is_count(inner.get("number_of_people")):
        yield _wrong((PLAN, "number_of_people"), "1, 2, 3 …", inner.get("number_of_people"))
    days = inner.get("daily_schedule")
    if not isinstance(days, list):
        yield _wrong((PLAN, "daily_schedule"), "[…]", days)
        return
    before: date | None = None
    for number, day in enumerate(days):
        at: Where = (PLAN, "daily_schedule", number)
        yield from _day_faults(day, at)
        now = _day_of(day.get("date")) if isinstance(day, Mapping) else None
        if now is not None:
            if before is not None and now <= before:
                yield Mark((*at, "date"), "days_out_of_order", {"expected": f"> {before}", "seen": str(now)})
            before = now


def _day_faults(day: object, at: Where) -> Iterator[Mark]:
    if not isinstance(day, Mapping):
        yield _wrong(at, "{…}", day)
        return
    yield from _key_faults(day, at, ("date", "cities", "activities"), optional=("hotel",))
    if _day_of(day.get("date")) is None:
        yield _wrong((*at, "date"), "YYYY-MM-DD", day.get("date"))
    yield from _text_faults(day, at, "cities")
    if "hotel" in day:
        yield from _item_faults(day["hotel"], (*at, "hotel"), ("id", "products"), "room_num", empty=False)
    activities = day.get("activities")
    if not isinstance(activities, list):
        yield _wrong((*at, "activities"), "[…]", activities)
        return
    for number, activity in enumerate(activities):
        yield from _activity_faults(activity, (*at, "activities", number))


def _activity_faults(activity: object, at: Where) -> Iterator[Mark]:
    if not isinstance(activity, Mapping):
        yield _wrong(at, "{…}", activity)
        return
    kind = activity.get("type")
    if not isinstance(kind, str) or kind not in TYPES:
        yield _wrong((*at, "type"), ", ".join(TYPES), kind)
        return
    if kind in ITEM_TYPES:
        yield from _item_faults(activity, at, (*_ACTIVITY_KEYS, "id", "products"), "quantity", empty=True)
    else:
        yield from _key_faults(activity, at, _ACTIVITY_KEYS)
    yield from _text_faults(activity, at, "description")
    span = _span_of(activity.get("time"))
    if span is None or span[0] == span[1] or (span[1] < span[0] and kind != LEG):
        yield _wrong((*at, "time"), "HH:MM-HH:MM", activity.get("time"))


def _item_faults(
    item: object, at: Where, keys: tuple[str, ...], count_key: str, *, empty: bool
) -> Iterator[Mark]:
    """empty: whether it may have no product."""
    if not isinstance(item, Mapping):
        yield _wrong(at, "{…}", item)
        return
    yield from _key_faults(item, at, keys)
    yield from _text_faults(item, at, "id")
    products = item.get("products")
    if not isinstance(products, list) or not (products or empty):
        yield _wrong((*at, "products"), f"[{{id, {count_key}}}]", products)
        return
    for number, product in enumerate(products):
        place = (*at, "products", number)
        if not isinstance(product, Mapping):
            yield _wrong(place, f"{{id, {count_key}}}", product)
            continue
        yield from _key_faults(product, place, ("id", count_key))
        yield from _text_faults(product, place, "id")
        if not _is_count(product.get(count_key)):
            yield _wrong((*place, count_key), "1, 2, 3 …", product.get(count_key))


def _key_faults(
    given: Mapping[Any, Any], at: Where, keys: tuple[str, ...], optional: tuple[str, ...] = ()
) -> Iterator[Mark]:
    for key in keys:
        if key not in given:
            yield Mark(at, "key_missing", {"expected": key})
    for key in given:
        if key not in keys and key not in optional:
            yield Mark(at, "key_unknown", {"expected": ", ".join(keys + optional), "seen": str(key)[:80]})


def _text_faults(given: Mapping[Any, Any], at: Where, key: str) -> Iterator[Mark]:
    value = given.get(key)
    if not isinstance(value, str) or not value.strip():
        yield _wrong((*at, key), "…", value)


def _wrong(at: Where, expected: str, seen: object) -> Mark:
    return Mark(at, "wrong_value", {"expected": expected, "seen": repr(seen)[:80]})


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _day_of(value: object) -> date | None:
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        return None
    try:
        return date.fromisoformat(value)
    except ValueError:
        return None


def _span_of(value: object) -> tuple[int, int] | None:
    """Minutes of a day; 24:00 is an end alone."""
    return _read_span(value) if isinstance(value, str) and len(value) == _TIME_LENGTH else None


@lru_cache(maxsize=_MOST_SPANS)
def _read_span(value: str) -> tuple[int, int] | None:
    match = _TIME.fullmatch(value)
    if match is None:
        return None
    hours, minutes, end_hours, end_minutes = map(int, match.groups())
    start, end = hours * 60 + minutes, end_hours * 60 + end_minutes
    fits = hours < 24 and minutes < 60 and end_minutes < 60 and end <= DAY
    return (start, end) if fits else None


# Reading.


def read_plan(plan: Mapping[str, Any]) -> TripPlan:
    """A plan that `form_faults` has nothing against."""
    inner = plan[PLAN]
    days = tuple(_read_day(number, day) for number, day in enumerate(inner["daily_schedule"]))
    start, end = (date.fromisoformat(inner[key]) for key in ("start_date", "end_date"))
    return TripPlan(start, end, inner["number_of_people"], days)


def _read_day(number: int, day: Mapping[str, Any]) -> Day:
    at: Where = (PLAN, "daily_schedule", number)
    hotel = day.get("hotel")
    stay = None if hotel is None else Stay((*at, "hotel"), hotel["id"], _read_purchases(hotel, "room_num"))
    activities = tuple(
        _read_activity(item, (*at, "activities", n)) for n, item in enumerate(day["activities"])
    )
    return Day(number, date.fromisoformat(day["date"]), stay, activities)


def _read_activity(item: Mapping[str, Any], at: Where) -> Activity:
    start, end = _span_of(item["time"]) or (0, 0)
    bought = _read_purchases(item, "quantity") if item["type"] in ITEM_TYPES else ()
    return Activity(at, item["type"], start, end, item.get("id", ""), bought, item["description"])


def _read_purchases(item: Mapping[str, Any], count_key: str) -> tuple[Purchase, ...]:
    return tuple(Purchase(product["id"], product[count_key]) for product in item["products"])
