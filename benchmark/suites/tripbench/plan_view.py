"""TRIP-Bench's plans as pages show them, and the schema of those that are as they should be (appendix F.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, Final

from benchmark.core.setting import Setting
from benchmark.metrics import gettext_noop as _
from benchmark.plans.clock import minutes
from benchmark.plans.hours import DAY
from benchmark.plans.view import Cost, CostLine, Day, Entry, Kind, Plan, PlanView, Ref, When, Where
from benchmark.suites.base import Plans
from benchmark.suites.tripbench.itineraries import DAYS, find_plan
from benchmark.suites.tripbench.plans.schema import (
    ATTRACTION,
    ITEM_TYPES,
    LEG,
    LOCAL,
    PLAN,
    RESTAURANT,
    TYPES,
)
from benchmark.suites.tripbench.plans.trip import total_price
from benchmark.suites.tripbench.tasks.task import Task
from benchmark.suites.tripbench.world import world_of
from sandbox.toolsets.tripbench.records import Attraction, Hotel, Restaurant, Service, TripWorld, World

_TEXT: Final = {"type": "string", "pattern": r"\S"}
_DATE: Final = {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
_COUNT: Final = {"type": "integer", "minimum": 1}


def _object(required: Mapping[str, Any], **optional: Any) -> dict[str, Any]:
    properties = {**required, **optional}
    return {
        "type": "object",
        "required": [*required],
        "properties": properties,
        "additionalProperties": False,
    }


def _list(of: Mapping[str, Any], fewest: int = 0) -> dict[str, Any]:
    return {"type": "array", "items": of, "minItems": fewest}


_PRODUCTS: Final = _list(_object({"id": _TEXT, "quantity": _COUNT}))
_ACTIVITY: Final = {
    "time": {"type": "string", "pattern": "^[0-2][0-9]:[0-5][0-9]-[0-2][0-9]:[0-5][0-9]$"},
    "type": {"enum": [*TYPES]},
    "description": _TEXT,
}
_HOTEL: Final = _object({"id": _TEXT, "products": _list(_object({"id": _TEXT, "room_num": _COUNT}), 1)})
_DAY: Final = _object(
    {"date": _DATE, "cities": _TEXT, "activities": _list(_object(_ACTIVITY, id=_TEXT, products=_PRODUCTS))},
    hotel=_HOTEL,
)
SCHEMA: Final = _object(
    {PLAN: _object({"start_date": _DATE, "end_date": _DATE, "number_of_people": _COUNT, DAYS: _list(_DAY)})}
)
_KINDS: Final[Mapping[str, Kind]] = {ATTRACTION: "visit", RESTAURANT: "meal", LEG: "leg", LOCAL: "move"}
_COSTS: Final[Mapping[Kind, str]] = {
    "leg": _("transport"),
    "stay": _("hotels"),
    "visit": _("sights"),
    "meal": _("meals"),
}
WorldItem = Attraction | Hotel | Restaurant | Service


def view_plan(plan: Plan, setting: Setting[Task, TripWorld]) -> PlanView:
    """A plan of any shape as pages show it; what it names is called as the world calls it."""
    world = world_of(setting) or World()
    days = tuple(_view_day(at, day, world) for at, day in _parts(plan.get(PLAN), DAYS, (PLAN,)))
    return PlanView(days, tuple(_cost_lines(days)))


def _parts(owner: object, key: str, at: Where) -> Iterator[tuple[Where, Mapping[str, Any]]]:
    """The objects of a list, with their places."""
    listed = owner.get(key) if isinstance(owner, Mapping) else None
    for number, part in zip(count(), listed if isinstance(listed, list) else [], strict=False):
        if isinstance(part, Mapping):
            yield (*at, key, number), part


def _view_day(at: Where, day: Mapping[str, Any], world: TripWorld) -> Day:
    entries = [_view_activity(where, one, world) for where, one in _parts(day, "activities", at)]
    hotel = day.get("hotel")
    if isinstance(hotel, Mapping):
        entries.append(_view_hotel((*at, "hotel"), hotel, world))
    cities = str(day.get("cities") or "").replace("→", "->").split("->")
    return Day(
        at,
        str(int(at[-1]) + 1),
        str(day.get("date") or ""),
        tuple(city.strip() for city in cities if city.strip()),
        tuple(entries),
    )


def _view_activity(at: Where, one: Mapping[str, Any], world: TripWorld) -> Entry:
    type_ = str(one.get("type") or "")
    text = str(one.get("description") or "").rstrip(".。")  # it is put into sentences
    when = _when(str(one.get("time") or ""))
    kind = _KINDS.get(type_, "other")
    if type_ not in ITEM_TYPES:
        return Entry(kind, at, text or type_, when)
    id_ = str(one.get("id") or "")
    if type_ == LEG:
        service = world.services_by_id.get(id_)
        if service is None:
            return Entry(kind, at, text or id_, when)
        place, origin = (
            Ref(hub.name, city, point=hub.point)
            for hub, city in (
                (service.to_place, service.to_city),
                (service.from_place, service.from_city),
            )
        )
        label = f"{service.number} {service.from_city} → {service.to_city}"
        return Entry(kind, at, label, when, place, origin, service.kind, cost=_cost(one, service, "quantity"))
    known = (world.attractions_by_id if type_ == ATTRACTION else world.restaurants_by_id).get(id_)
    if known is None:
        return Entry(kind, at, text or id_, when, Ref(text or id_, id=id_))
    ref = Ref(known.name, known.city, id_, known.point)
    return Entry(kind, at, known.name, when, ref, cost=_cost(one, known, "quantity"))


def _view_hotel(at: Where, hotel: Mapping[str, Any], world: TripWorld) -> Entry:
    id_ = str(hotel.get("id") or "")
    known = world.hotels_by_id.get(id_)
    if known is None:
        return Entry("stay", at, id_, place=Ref(id_, id=id_))
    ref = Ref(known.name, known.city, id_, known.point)
    return Entry("stay", at, known.name, place=ref, cost=_cost(hotel, known, "room_num"))


def _when(text: str) -> When:
    start, _dash, end = text.partition("-")
    first, last = minutes(start), DAY if end == "24:00" else minutes(end)
    if first is not None and last is not None and last < first:
        last += DAY
    return When(first, last, text=text)


def _cost(bought: Mapping[str, Any], item: WorldItem, count_key: str) -> Cost | None:
    """What is bought, for all of them; None where nothing is, or a product is not known."""
    listed = [one for _, one in _parts(bought, "products", ())]
    counts = [one.get(count_key) for one in listed]
    products = [item.product(str(one.get("id"))) for one in listed]
    told = tuple(
        (product, number)
        for product, number in zip(products, counts, strict=True)
        if product is not None and isinstance(number, int) and not isinstance(number, bool)
    )
    return Cost(total_price(told), "party") if told and len(told) == len(listed) else None


def _cost_lines(days: tuple[Day, ...]) -> Iterator[CostLine]:
    """The costs of each kind, and of all; hotels but of the last day, on which nobody sleeps."""
    entries = [
        (entry.kind, entry.cost.amount)
        for day in days
        for entry in day.entries
        if entry.cost and entry.cost.amount is not None and not (entry.kind == "stay" and day is days[-1])
    ]
    total = sum(amount for _, amount in entries)
    if entries:
        yield CostLine(_("all together"), total)
    for kind, label in _COSTS.items():
        if costs := [amount for own, amount in entries if own == kind]:
            yield CostLine(label, sum(costs), whole=total)


PLANS: Final = Plans(find_plan, view_plan, SCHEMA)
