"""Fitting the lists of a cached result to a call: distances, filters, order, page.

Items are read by the field names of our tools' results; what an item does not have is not checked. Only arguments
that differ from the cached call's do anything: the record passed all others already.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeGuard

from sandbox.toolsets.grouptravel.nearest.change import Change, is_thing
from sandbox.toolsets.grouptravel.nearest.sameness import day_of, point_of
from sandbox.worlds.geo import distance_m
from sandbox.worlds.text import normalise

Item = dict[str, Any]
Passes = Callable[[Item], bool]

_CLOCK = re.compile(r"\d{2}:\d{2}", re.ASCII)
_RAPID = {"high_speed": ("G", "C"), "high_speed_and_emu": ("G", "C", "D")}
_ORDERS = {
    "distance": ("distance_m", False), "rating": ("rating", True), "price": ("price", False),
    "price_low": ("price", False), "price_high": ("price", True), "duration": ("duration_minutes", False),
    "depart_time": ("depart", False), "depart_time_desc": ("depart", True),
}  # fmt: skip
"""Field and direction (True: descending) of what `sort_by` can be; relevance can't be recomputed."""
_DEEPEST = 64


def with_items_fitted(value: Any, change: Change, depth: int = 0) -> Any:
    """A result (JSON) with its outermost lists of objects fitted.

    `total` beside a list of which a filter took something out is the number of those left: of pages that the record
    does not hold nobody knows.
    """
    if isinstance(value, list):
        return _fit(value, change)[0] if _are_items(value) else value
    if not isinstance(value, dict) or depth > _DEEPEST:
        return value
    left = dropped = 0
    fitted: dict[str, Any] = {}
    for name, each in value.items():
        if _are_items(each):
            fitted[name], passed = _fit(each, change)
            left, dropped = left + passed, dropped + len(each) - passed
        else:
            fitted[name] = with_items_fitted(each, change, depth + 1)
    total = value.get("total")
    if dropped and _is_number(total):
        fitted["total"] = left
    return fitted


def _are_items(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _fit(items: list[Item], change: Change) -> tuple[list[Item], int]:
    """The part of the list that is asked for, and how many of its items pass the filters."""
    measured = _with_distances(items, change)
    tests = list(_filters(change))
    kept = [item for item in measured if all(passes(item) for passes in tests)]
    kept = _sort(kept, change)
    # Only what describes something is an item of the answer: the steps of a route beside it are not.
    shown = _page(kept, len(items), change) if all(map(is_thing, items)) else kept
    return shown, len(kept)


def _with_distances(items: list[Item], change: Change) -> list[Item]:
    """With `distance_m` from the new centre, and none where nothing is searched around."""
    centre = change.centre()
    if not change.differs("location"):
        return items
    if change.now.get("location") is None:
        return [item | {"distance_m": None} if "distance_m" in item else item for item in items]
    if centre is None:
        return items
    points = [point_of(item.get("location")) for item in items]
    return [
        item | {"distance_m": round(distance_m(centre, point))} if point and "distance_m" in item else item
        for item, point in zip(items, points, strict=True)
    ]


def _filters(change: Change) -> Iterator[Passes]:
    now = change.now
    if now.get("location") and "radius_km" in now and change.differs("location", "radius_km"):
        yield lambda item: _is_near(item, change)
    if now.get("region") and change.differs("region"):
        yield lambda item: _is_in_region(item, str(now["region"]))
    if change.differs("route_range"):
        yield lambda item: _is_within(item, "distance_m", None, change.route_range_m())
    if change.differs("price_min", "price_max"):
        yield lambda item: _price_passes(item, now)
    if change.differs("depart_time_start", "depart_time_end"):
        yield lambda item: _departs_within(item, now)
    if now.get("train_type_filter") and change.differs("train_type_filter"):
        yield lambda item: _train_passes(item, str(now["train_type_filter"]))
    if now.get("airport") and change.differs("airport"):
        yield lambda item: _uses_airport(item, str(now["airport"]))
    if change.differs("days"):
        yield lambda item: _day_passes(item, now)


def _is_within(item: Item, field: str, low: float | None, high: float | None) -> bool:
    value = item.get(field)
    if not _is_number(value):
        return True
    return (low is None or value >= low) and (high is None or value <= high)


def _is_near(item: Item, change: Change) -> bool:
    """What lies nobody knows how far from another centre is not told to be near it."""
    if change.differs("location") and not _is_number(item.get("distance_m")):
        return False
    return _is_within(item, "distance_m", None, change.radius_m())


def _is_in_region(item: Item, region: str) -> bool:
    address = item.get("address")
    return isinstance(address, str) and normalise(region) in normalise(address)


def _price_passes(item: Item, now: Mapping[str, Any]) -> bool:
    """A price that is known to be unknown passes no bound, as in search_poi."""
    low, high = now["price_min"], now["price_max"]
    if "price" in item and item["price"] is None:
        return low is None and high is None
    return _is_within(item, "price", low, high)


def _departs_within(item: Item, now: Mapping[str, Any]) -> bool:
    depart = item.get("depart")
    if not isinstance(depart, str) or not _CLOCK.fullmatch(depart):
        return True
    return (now["depart_time_start"] or "00:00") <= depart <= (now["depart_time_end"] or "24:00")


def _train_passes(item: Item, wanted: str) -> bool:
    number = item.get("number")
    if not isinstance(number, str):
        return True
    return number.startswith(_RAPID[wanted]) if wanted in _RAPID else not number.startswith(("G", "C", "D"))


def _uses_airport(item: Item, airport: str) -> bool:
    names = [
        normalise(name) for key in ("from_airport", "to_airport") if isinstance(name := item.get(key), str)
    ]
    stem = normalise(airport).removesuffix("机场").removesuffix("国际")
    return not names or any(stem in name for name in names)


def _day_passes(item: Item, now: Mapping[str, Any]) -> bool:
    """Days before the first one asked about are no part of the answer's range, and stay."""
    first, day = day_of(now["date"]), day_of(item.get("date"))
    return first is None or day is None or (day - first).days <= now["days"]


def _sort(items: list[Item], change: Change) -> list[Item]:
    order = _order(change.now)
    moved = order == "distance" and change.differs("location")
    if order not in _ORDERS or not (moved or order != _order(change.before)):
        return items
    field, descending = _ORDERS[order]
    values = [item.get(field) for item in items]
    known = [value for value in values if value is not None]
    if not (all(map(_is_number, known)) or all(isinstance(value, str) for value in known)):
        return items
    first = [item for item in items if item.get(field) is not None]
    last = [item for item in items if item.get(field) is None]
    return sorted(first, key=lambda item: item[field], reverse=descending) + last


def _order(arguments: Mapping[str, Any]) -> str:
    """The order that a call asks for, in words of `sort_by`; empty for a tool that has none."""
    if "sort_by" not in arguments:
        return ""
    usual = "depart_time" if "depart_time_start" in arguments else "relevance"
    return str(arguments["sort_by"] or ("distance" if arguments.get("location") else usual))


def _page(items: list[Item], held: int, change: Change) -> list[Item]:
    """The part that the call asks for, of a list of which the record held so many items."""
    now = change.now
    if change.differs("poi_limit"):
        return items[: now["poi_limit"]]
    if not change.differs("page", "page_size"):
        return items
    number, size = _whole(change.before["page"]), _whole(change.before["page_size"])
    skipped = (now["page"] - 1) * now["page_size"] - (number - 1) * size
    if skipped >= len(items) and held < size:
        return []
    start = skipped if 0 <= skipped < len(items) else 0
    return items[start : start + now["page_size"]]


def _whole(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 1


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
