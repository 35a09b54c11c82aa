"""A plan as the page of rules tells of it, read by the plainest way. Missing is a metric without a figure."""

from __future__ import annotations

import math
from datetime import date, timedelta
from typing import Any

from benchmark.plans.ways import great_circle_km
from benchmark.suites.traveleval.factors import BASE_MINUTES
from benchmark.suites.traveleval.scoring.conditions import HOLIDAY_QUEUES
from benchmark.suites.traveleval.tasks import Query
from benchmark.suites.traveleval.world import City, Sight

Plan = dict[str, Any]
K_TIME = [1.0] * 8 + [0.85] * 2 + [0.9] * 2 + [1.1] * 8 + [0.7] * 4
TRUE_KINDS = {
    "猫狗特色": ["宠物特色"],
    "[自然风光": ["自然风光"],
    "人文景观沉浸式体验": ["人文景观", "沉浸式体验"],
    "": [],
}
KINDS_OF_QUEUES = {"博物馆": "博物馆/纪念馆", "文物古迹": "历史古迹"} | dict.fromkeys(
    ("游乐园", "主题公园"), "游乐园/体育娱乐"
)


class Missing(Exception):
    """The metric has no figure."""


def need(found: Any) -> Any:
    """What is there."""
    if found is None:
        raise Missing
    return found


def exact(text: Any) -> tuple[int, int]:
    """Of a text that is H:M and no more."""
    parts = text.split(":") if isinstance(text, str) else []
    if len(parts) != 2 or not all(part.isdigit() for part in parts):
        raise Missing
    return int(parts[0]), int(parts[1])


def clock(text: Any) -> float:
    """Hours, by the first two parts."""
    hour, minute = exact(":".join(text.split(":")[:2]) if isinstance(text, str) else text)
    return hour + minute / 60


def length(stop: Plan) -> float:
    """The planned hours of a stop, 0 for what can't be read."""
    try:
        (a, b), (c, d) = (exact(stop.get(key, "00:00")) for key in ("start_time", "end_time"))
    except Missing:
        return 0.0
    return max(0.0, ((c - a) * 60 + d - b) / 60 + (24 if a > c else 0))


def quotient(part: float, whole: float) -> float:
    """0/0 is no figure."""
    if whole == 0:
        raise Missing
    return part / whole


class NaivePlan:
    """A plan of a query for a city."""

    def __init__(self, plan: Plan, query: Query, city: City) -> None:
        self.plan, self.query, self.city = plan, query, city
        self.entries: list[Plan] = plan["daily_plans"]
        by_day = {entry["day"]: entry for entry in self.entries if entry.get("day") is not None}
        self.days = [*by_day.values()]

    def activities(self, day: Plan) -> list[Plan]:
        """Those of a day."""
        return day.get("activities") or []

    def stops(self, day: Plan) -> list[Plan]:
        """The activities with a name, and the end of the day."""
        end = day.get("ending_point")
        times = {"start_time": "23:59", "end_time": "23:59"}
        ends = (
            [{"location_name": "ending_point"} if isinstance(end, str) else {**times, **end}] if end else []
        )
        return [stop for stop in self.activities(day) if stop.get("location_name")] + ends

    def points(self, day: Plan) -> list[str]:
        """The names of all points of a day."""
        start = [day["starting_point"]] if day.get("starting_point") else []
        return start + [stop.get("location_name") for stop in self.stops(day)]

    def visits(self) -> list[tuple[Plan, Plan, Sight | None]]:
        """Day, stop and sight."""
        return [
            (day, stop, self.city.sight.get(stop.get("location_name", "")))
            for day in self.days
            for stop in self.stops(day)
            if stop.get("type") == "attraction"
        ]

    def sights(self) -> list[tuple[Plan, Plan, Sight]]:
        """Those visits whose sight is in the table."""
        if not self.city.sights:
            raise Missing
        return [(day, stop, sight) for day, stop, sight in self.visits() if sight]

    def queue(self, day: Plan, stop: Plan, sight: Sight | None) -> float:
        """Hours."""
        hour, _ = exact(stop.get("start_time", "00:00"))
        try:
            at = date.fromisoformat(self.query.dates[:10]) + timedelta(days=int(day["day"]) - 1)
        except ValueError as error:
            raise Missing from error
        kinds = sight.types.strip("{}").split(";") if sight else []
        base = [BASE_MINUTES.get(KINDS_OF_QUEUES.get(kind, kind)) for kind in kinds]
        first = next((minutes for minutes in base if minutes), 0.0)
        factor = K_TIME[hour] if hour < 24 else 1.0
        return first * HOLIDAY_QUEUES.date_factor(at) * factor / 60

    def useful(self, day: Plan, stop: Plan, sight: Sight | None) -> float:
        """e."""
        return length(stop) - self.queue(day, stop, sight)

    def ratio(self, day: Plan, stop: Plan, sight: Sight) -> float:
        """r."""
        own = self.useful(day, stop, sight)
        return own / length(stop) if length(stop) and own >= sight.least else 0.0

    def legs(self) -> list[Plan]:
        """The section is needed."""
        return need(need(self.plan.get("intercity_transport")).get("transport_type"))  # type: ignore[no-any-return]

    def hours_away(self) -> float:
        """H."""
        section = self.plan["intercity_transport"]
        if "transport_type" not in section:
            raise Missing
        legs = section["transport_type"]
        ends = (clock(legs[0].get("start_time")), clock(legs[-1].get("end_time"))) if legs else (8.0, 22.0)
        try:
            days = int(need(self.plan["summary"].get("total_days")))
        except ValueError as error:
            raise Missing from error
        return 24 * (days - 1) + ends[1] - ends[0]

    def star(self, sight: Sight | None) -> float:
        """3.0 where it is unknown."""
        return 3.0 if sight is None or math.isnan(sight.star) else sight.star

    def km(self, a: str, b: str) -> float:
        """As the crow flies, to 10 m."""
        return round(great_circle_km(self.city.points[a], self.city.points[b]), 2)

    def total_cost(self) -> float:
        """All costs."""
        costs = 0.0
        for leg in self.legs():
            costs += need(leg["details"].get("price")) * need(leg["details"].get("number"))
        for room in need(need(self.plan.get("accommodation")).get("room_type")):
            costs += room["quantity"] * room["price_per_night"] * room["nights"]
        for entry in self.entries:
            for stop in need(entry.get("activities")):
                costs += stop.get("transportation_cost", 0) + self._price(stop)
            end = entry.get("ending_point")
            if end:
                costs += end.get("transportation_cost", 0) if isinstance(end, dict) else need(None)
        return costs

    def _price(self, stop: Plan) -> float:
        if "type" not in stop:
            raise Missing
        details = stop.get("details")
        free = ("intercity_transport", "intracity_transport", "accommodation", "accommodation_check_in",
                "accommodation_check_out")  # fmt: skip
        if stop["type"] in free:
            return 0.0
        if details is None or not details.get("ticket_price"):
            return float(stop.get("cost", 0))
        return float(
            details["ticket_price"]
            * (details.get("ticket_number") or self.plan["summary"]["total_travelers"])
        )

    def kinds(self, sight: Sight) -> list[str]:
        """The types of a sight, mended."""
        return [new for old in sight.types.strip("{}").split(";") for new in TRUE_KINDS.get(old, [old])]
