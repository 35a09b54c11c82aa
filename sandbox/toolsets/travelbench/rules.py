"""What the published program checks of a call, tool by tool: its order and what it leaves unchecked.

A rule tells what is wrong, in Chinese, or nothing. What no rule foresees (a text where a number is compared) raises,
as it does there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sandbox.toolsets.travelbench import areas

GivenArguments = Mapping[str, Any]
Rule = Callable[[GivenArguments, str], str | None]
"""Of the arguments and the task's `time`."""

FURTHEST_DAYS = 15
MODES = ("driving", "walking", "bicycling", "transit", "motorcycle", "truck")
EMPTY_END = "参数错误：出发地和目的地不能为空"
"""The one problem that the published program tells without the form of an error; golden calls hold its bytes."""
_PRICE_SORTS = ("price:a", "price:d")
_DAY = "%Y-%m-%d"


@dataclass(frozen=True, slots=True)
class ToolChecks:
    """What is checked of a tool's calls. rules: in their order, after the names of arguments."""

    required_names: tuple[str, ...]
    optional: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()
    quoted: bool = True

    def problem(self, given: GivenArguments, time: str) -> str | None:
        """What is wrong first; None for a call that passes."""
        named = self._names(given)
        return named or next(
            (rule_problem for rule in self.rules if (rule_problem := rule(given, time))), None
        )

    def _names(self, given: GivenArguments) -> str | None:
        lacking = sorted({*self.required_names} - {*given})
        if lacking:
            return f"还需要这些参数：{self._list(lacking)}"
        unknown = sorted({*given} - {*self.required_names, *self.optional})
        if unknown:
            allowed = sorted((*self.required_names, *self.optional))
            return f"没有这些参数：{self._list(unknown)}；可用的参数有：{self._list(allowed)}"
        return None

    def _list(self, names: Sequence[str]) -> str:
        return ", ".join(f"'{name}'" if self.quoted else name for name in names)


# Numbers: ranges, with null where an argument has no default.


def _range_rule(name: str, low: float, high: float, default: float | None = None) -> Rule:
    def rule(given: GivenArguments, time: str) -> str | None:
        value = given.get(name, default)
        if default is None and value is None:
            return None
        outside = value < low or value > high
        return f"{name} 须为 {low} 至 {high}，收到的是 {value}" if outside else None

    return rule


def _not_negative(name: str) -> Rule:
    def rule(given: GivenArguments, time: str) -> str | None:
        value = given.get(name)
        return f"{name} 须为 0 或更大，收到的是 {value}" if value is not None and value < 0 else None

    return rule


def _at_least_one(given: GivenArguments, time: str) -> str | None:
    limit = given.get("limit", 10)
    return f"limit 至少为 1，收到的是 {limit}" if limit < 1 else None


def _prices_in_order(given: GivenArguments, time: str) -> str | None:
    low, high = given.get("price_min"), given.get("price_max")
    if low is None or high is None or low <= high:
        return None
    return f"最低价 price_min={low} 高于最高价 price_max={high}"


# What depends on another argument.


def _price_needs_category(given: GivenArguments, time: str) -> str | None:
    priced = given.get("price_min") is not None or given.get("price_max") is not None
    if priced and not given.get("price_category"):
        return "按价格筛选要用 price_category 说明是哪种价格"
    return None


def _price_sort_needs_category(given: GivenArguments, time: str) -> str | None:
    if given.get("sort_by") in _PRICE_SORTS and not given.get("price_category"):
        return "按价格排序要用 price_category 说明是哪种价格"
    return None


def _one_time(given: GivenArguments, time: str) -> str | None:
    if given.get("departure_time") and given.get("arrival_time"):
        return "departure_time 与 arrival_time 只能给一个"
    return None


# Coordinates: two parts, which are numbers where a place is searched about them.


def is_pair(text: Any) -> bool:
    """Whether a text has one comma. Raises AttributeError for what is not text."""
    return len(text.split(",")) == 2


def is_point(text: Any) -> bool:
    """Whether a text is two numbers with a comma, of any size. Raises AttributeError for what is not text."""
    parts = text.split(",")
    return len(parts) == 2 and all(map(_is_number, parts))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _ends_are_pairs(given: GivenArguments, time: str) -> str | None:
    for name in ("origin", "destination"):
        if not is_pair(given[name]):
            return f"{name} 不是坐标：{given[name]}；请写成“纬度,经度”"
    return None


def _via_are_pairs(given: GivenArguments, time: str) -> str | None:
    for number, text in enumerate(given.get("intermediates") or (), 1):
        if not is_pair(text):
            return f"途经点 {number} 不是坐标：{text}"
    return None


def _center_is_point(given: GivenArguments, time: str) -> str | None:
    center = given.get("center")
    if center and not (isinstance(center, str) and is_point(center)):
        return f"center 不是坐标：{center}；请写成“纬度,经度”"
    return None


def _origins_are_points(given: GivenArguments, time: str) -> str | None:
    origins = given["origins"]
    if not origins or len(origins) < 2:
        return "origins 要有两个或更多出发点"
    for number, text in enumerate(origins, 1):
        if not is_point(text):
            return f"出发点 {number} 不是坐标：{text}；请写成“纬度,经度”"
    return None


def _known_modes(given: GivenArguments, time: str) -> str | None:
    unknown = next((mode for mode in given.get("modes", ("driving",)) if mode not in MODES), None)
    return None if unknown is None else f"没有这种出行方式：{unknown}"


# Values that the published program looks up; it fails on what it does not foresee, in its own words.


def _preference_can_be_looked_up(given: GivenArguments, time: str) -> str | None:
    preference = given.get("preference")
    if preference and isinstance(preference, (list, dict)):
        raise TypeError("preference is not text")
    return None


def _traffic_is_yes_or_no(given: GivenArguments, time: str) -> str | None:
    aware = given.get("traffic_aware")
    if aware and aware != True:  # noqa: E712 (1 and 1.0 are equal to it, and pass there too)
        raise ValueError(f"traffic_aware is neither true nor false: {aware}")
    return None


# Days and names.


def _ends_not_empty(given: GivenArguments, time: str) -> str | None:
    return None if given["origin"] and given["destination"] else EMPTY_END


def _day_in_reach(given: GivenArguments, time: str) -> str | None:
    try:
        day = datetime.strptime(given["date"], _DAY)
    except ValueError:
        return f"date 读不懂：{given['date']}；请写成 YYYY-MM-DD"
    try:
        now = datetime.fromisoformat(time)
        last = now + timedelta(days=FURTHEST_DAYS)
    except (ValueError, OverflowError) as error:
        return f"日期无法核对：{error}"
    if day.date() <= last.date():
        return None
    return (
        f"date 太远：今天是 {now:{_DAY}}，可查到 {FURTHEST_DAYS} 天之后，即 {last:{_DAY}}；"
        f"收到的是 {given['date']}"
    )


def _day_in_reach_or_null(given: GivenArguments, time: str) -> str | None:
    return None if given["date"] is None else _day_in_reach(given, time)


def _ends_are_divisions(given: GivenArguments, time: str) -> str | None:
    for name, called in (("origin", "出发地"), ("destination", "目的地")):
        if problem := _unresolved_name(given[name]):
            return f"{called}：{problem}"
    return None


def _region_is_division(given: GivenArguments, time: str) -> str | None:
    region = given.get("region")
    return _unresolved_name(region) if region and not given.get("center") else None


def _unresolved_name(name: Any) -> str | None:
    try:
        areas.resolve(name)
    except areas.NoSuchDivision:
        return f"没有名为“{name}”的行政区划；请写全称，例如 成都市、浙江省杭州市"
    except areas.AmbiguousDivision as several:
        listed = ", ".join(
            f"{candidate.path}({candidate.code})" for candidate in several.candidates[: areas.MOST_NAMED]
        )
        return f"“{name}”可指多个地方：{listed}；请写出上级区划"
    return None


_PRICES = (_not_negative("price_min"), _not_negative("price_max"), _prices_in_order)
_TRIP = ("origin", "destination", "date")
_TRIP_DAYS = _range_rule("days", 0, FURTHEST_DAYS, 0)

CHECKS_BY_TOOL: Mapping[str, ToolChecks] = {
    "map_search_places": ToolChecks(
        ("query",),
        (
            *("center", "radius", "region", "sort_by", "min_rating"),
            *("price_min", "price_max", "price_category", "limit"),
        ),
        (
            *(_price_needs_category, _price_sort_needs_category),
            *(
                _range_rule("radius", 100, 20_000, 5_000),
                _range_rule("min_rating", 0, 10),
                *_PRICES,
                _at_least_one,
            ),
            *(_center_is_point, _region_is_division),
        ),
    ),
    "map_compute_routes": ToolChecks(
        ("origin", "destination"),
        ("intermediates", "modes", "departure_time", "arrival_time", "traffic_aware", "preference"),
        (
            *(_one_time, _ends_are_pairs, _via_are_pairs, _known_modes),
            *(_preference_can_be_looked_up, _traffic_is_yes_or_no),
        ),
    ),
    "map_search_along_route": ToolChecks(
        ("query", "origin", "destination"),
        ("transport_mode", "buffer_radius", "limit"),
        (_at_least_one, _ends_are_pairs),
    ),
    "map_search_central_places": ToolChecks(
        ("query", "origins"),
        ("radius", "sort_by", "min_rating", "price_min", "price_max", "price_category", "limit"),
        (
            *(
                _price_needs_category,
                _range_rule("radius", 100, 20_000, 10_000),
                _range_rule("min_rating", 0, 10),
            ),
            *(*_PRICES, _at_least_one, _origins_are_points),
        ),
    ),
    "map_search_ranking_list": ToolChecks(
        ("query", "region"),
        ("max_lists", "max_items"),
        (_range_rule("max_lists", 1, 10, 5), _range_rule("max_items", 1, 20, 3)),
    ),
    "travel_search_flights": ToolChecks(_TRIP, ("days",), (_TRIP_DAYS, _ends_not_empty, _day_in_reach)),
    "travel_search_trains": ToolChecks(_TRIP, ("days",), (_TRIP_DAYS, _ends_are_divisions, _day_in_reach)),
    "weather_current_conditions": ToolChecks(("location",)),
    "weather_forecast_days": ToolChecks(
        ("location", "date"), ("days",), (_range_rule("days", 1, FURTHEST_DAYS), _day_in_reach_or_null)
    ),
    "web_search": ToolChecks(("query",), quoted=False),
}
"""By tool."""
