"""What users ask for, broken by another place, hotel, room, flight or train in the stead of one.

The requirement is drawn with the change: one that all of a plan's items keep, and the new one does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import ceil
from random import Random
from typing import Any, Final, NamedTuple

from benchmark.plans.ways import great_circle_km
from benchmark.suites.tripbench.plans.schema import ATTRACTION, LEG, RESTAURANT
from benchmark.suites.tripbench.scoring.verdict import Constraint
from tests.scale.tripmutants.changes import (
    DAY,
    MUTATORS,
    Aim,
    Json,
    Mutator,
    Stage,
    Unfit,
    buy,
    clock,
    days_of,
    nights_of,
    others_near,
    pick,
    read_minute,
    set_span,
    shuffle,
    spots_of,
)
from tests.scale.tripmutants.soundness import PLACE_EFFECTS

TINY: Final = 1e-6
Arguments = dict[str, Any]
_WHOLE: Final = frozenset(
    [
        *("attraction.include_categories", "attraction.include_attractions", "attraction.category_priority"),
        *("attraction.sight_level", "hotel.cost", "hotel.breakfast_number", "hotel.location"),
        *("restaurant.include_cuisine", "transport.time_depart", "transport.time_return"),
    ]
)
"""Rubrics that are said of the whole plan: what is found against them has no day."""


class Trade(NamedTuple):
    """old: the item that goes, new: the one that comes. rest: those that stay, once for each time."""

    random: Random
    stage: Stage
    old: Any
    new: Any
    rest: Sequence[Any]
    hotel: Any = None
    """Of a sight: where one sleeps."""

    @property
    def before(self) -> list[Any]:
        """All items before."""
        return [self.old, *self.rest]

    def figures(self, field: str) -> tuple[list[float | None], float | None]:
        """Of all items before, and of the new one."""
        return [getattr(one, field) for one in self.before], getattr(self.new, field)


Ask = Callable[[Trade], Arguments | None]
"""The arguments of a requirement that a trade breaks; None for none. Raises Unfit too."""
Exchange = Callable[[Json, Stage, Random, Callable[[Trade], Constraint | None]], Aim]
"""Makes a trade for which there is a requirement. Raises Unfit."""


def add_exchange(rubric: str, exchange: Exchange, ask: Ask, effects: Iterable[str]) -> None:
    """Registers a mutator."""

    def demand(trade: Trade) -> Constraint | None:
        try:
            arguments = ask(trade)
        except Unfit:
            return None
        return None if arguments is None else Constraint("aimed", rubric, arguments)

    def change(plan: Json, stage: Stage, random: Random) -> Aim:
        aim = exchange(plan, stage, random, demand)
        return aim._replace(day=None) if rubric in _WHOLE else aim

    change.__name__ = exchange.__name__
    MUTATORS.append(Mutator(rubric, frozenset(effects), change))


# Requirements of figures, names and truth values.


def compare_figures(random: Random, known: Sequence[float | None], new: float | None) -> Arguments:
    """A comparison that all known figures keep, and a new one does not. A figure that is not known keeps none."""
    figures = [one for one in known if one is not None]
    if len(figures) < len(known):
        raise Unfit
    low, high = min(figures), max(figures)
    middle, fitting = (low + high) / 2, list[Arguments]()
    if new is None or new > high + TINY:
        fitting.append({"op": "less", "a": high})
    if new is None or new < low - TINY:
        fitting.append({"op": "more", "a": low})
    if fitting:
        fitting.append({"op": "range", "a": low, "b": high})
    if new is not None and all(abs(new - one) > TINY for one in figures):
        fitting.append({"op": "exclude", "a": new, "b": new})
    if high - middle < 0.2 * middle - TINY and (new is None or abs(new - middle) > 0.2 * middle + TINY):
        fitting.append({"op": "around", "a": middle})
    return pick(random, fitting)


def _compare(field: str) -> Ask:
    return lambda trade: compare_figures(trade.random, *trade.figures(field))


def _reach(*fields: str, **beside: str) -> Ask:
    """A minimum that a new figure misses. fields: the lowest counts."""

    def ask(trade: Trade) -> Arguments | None:
        known = [getattr(one, field) for one in trade.before for field in fields]
        new = [getattr(trade.new, field) for field in fields]
        if None in known or (None not in new and min(new) > min(known) - TINY):
            return None
        return {**beside, "min": min(known)}

    return ask


def _limit_km(km: Callable[[Trade, Any], float], key: str = "km", **beside: str) -> Ask:
    """A distance that a new one exceeds."""

    def ask(trade: Trade) -> Arguments | None:
        farthest = max(km(trade, one) for one in trade.before)
        return {**beside, key: farthest} if km(trade, trade.new) > farthest + TINY else None

    return ask


def _hold(field: str, value: bool = True, **beside: str) -> Ask:
    """That all have a mark, and a new one has not."""

    def ask(trade: Trade) -> Arguments | None:
        known, new = trade.figures(field)
        return dict(beside) if all(one is value for one in known) and new is not value else None

    return ask


def _names(item: Any) -> set[str]:
    category = getattr(item, "category", None)
    return {*getattr(item, "categories", ())} | ({category} if category else set())


def _names_of_all(items: Iterable[Any]) -> set[str]:
    return {name for item in items for name in _names(item)}


def _include(trade: Trade) -> Arguments:
    """What goes with the old one: with what stays, or with what nobody has where any of them is enough."""
    goes = pick(trade.random, sorted(_names(trade.old) - _names_of_all([trade.new, *trade.rest])))
    if trade.random.random() < 0.3:
        return {"cats": shuffle(trade.random, [goes, "nothing of the sort"]), "mode": "any"}
    stays = sorted(_names_of_all([trade.new, *trade.rest]) & _names_of_all(trade.before))
    told = trade.random.sample(stays, min(len(stays), 1))
    return {"cats": shuffle(trade.random, [goes, *told]), **trade.random.choice(({}, {"mode": "all"}))}


def _exclude(trade: Trade) -> Arguments:
    comes = sorted(_names(trade.new) - _names_of_all(trade.before))
    return {"cats": shuffle(trade.random, [pick(trade.random, comes), "nothing of the sort"])}


def _include_both(trade: Trade) -> Arguments:
    """What goes and one that stays."""
    return {"ids": shuffle(trade.random, [trade.old.id, *(one.id for one in trade.rest[:1])])}


def _priority(trade: Trade) -> Arguments | None:
    """The first is gone, or there is one more of a later one."""
    after = [trade.new, *trade.rest]
    known = sorted(_names_of_all([*after, trade.old]))
    if len(known) < 2:
        return None
    names = trade.random.sample(known, 2)
    counts = [
        [sum(name in _names(one) for one in items) for name in names] for items in (trade.before, after)
    ]
    (first, second), (first_after, second_after) = counts
    is_met, is_met_after = 1 <= first >= second, 1 <= first_after >= second_after
    return {"cats": names} if is_met and not is_met_after else None


def _level(trade: Trade) -> Arguments | None:
    old, *others = (one.sight_level or "" for one in (*trade.before, trade.new))
    lowest = min(old, *others[:-1])
    if lowest and others[-1] < lowest:
        return {"op": "at_least", "level": lowest, "quant": "all"}
    return {"op": "exact", "level": old} if old and old not in others else None


def _kinds(trade: Trade) -> Arguments | None:
    known, new = trade.figures("type")
    if None in known or new in known:
        return None
    return trade.random.choice(({"op": "in", "types": known}, {"op": "not_in", "types": [new]}))


# Places.


def _place(kind: str) -> Exchange:
    def another_place(
        plan: Json, stage: Stage, random: Random, demand: Callable[[Trade], Constraint | None]
    ) -> Aim:
        spots = spots_of(plan, kind)
        spot = pick(random, spots)
        left = [stage.item(one.activity) for one in spots if one != spot]
        days = days_of(plan)[spot.day :: -1]
        hotel = next((stage.hotel(day) for day in days if "hotel" in day), None)
        for new in shuffle(random, others_near(plan, stage, spot))[:30]:
            constraint = demand(Trade(random, stage, stage.item(spot.activity), new, left, hotel))
            if constraint is not None:
                buy(spot.activity, new, stage.frame.people)
                return Aim(spot.day + 1, constraint)
        raise Unfit

    return another_place


def _km_from_centre(trade: Trade, item: Any) -> float:
    return great_circle_km(trade.stage.world.cities[item.city].point, item.point)


def _near_hotel(trade: Trade) -> Arguments | None:
    """Where all days have the same hotel."""
    hotels = {day.get("hotel", {}).get("id", trade.hotel.id) for day in days_of(trade.stage.plan)}
    if trade.hotel is None or len(hotels) > 1:
        return None
    return _limit_km(lambda trade, one: great_circle_km(trade.hotel.point, one.point), of="hotel")(trade)


for _rubric, _kind, _ask in (
    ("attraction.include_categories", ATTRACTION, _include),
    ("attraction.exclude_categories", ATTRACTION, _exclude),
    ("attraction.include_attractions", ATTRACTION, _include_both),
    ("attraction.exclude_attractions", ATTRACTION, lambda trade: {"ids": [trade.new.id, "nowhere"]}),
    ("attraction.heat_score", ATTRACTION, _compare("heat")),
    ("attraction.comment_score", ATTRACTION, _compare("rating")),
    ("attraction.comment_count", ATTRACTION, _compare("comment_count")),
    ("attraction.price", ATTRACTION, _compare("price")),
    ("attraction.distance", ATTRACTION, _limit_km(_km_from_centre, of="center")),
    ("attraction.distance", ATTRACTION, _near_hotel),
    ("attraction.category_priority", ATTRACTION, _priority),
    ("attraction.sight_level", ATTRACTION, _level),
    ("restaurant.include_cuisine", RESTAURANT, _include),
    ("restaurant.exclude_cuisine", RESTAURANT, _exclude),
    ("restaurant.rating", RESTAURANT, _reach("stars")),
    ("restaurant.review_count", RESTAURANT, _reach("review_count")),
    ("restaurant.subrating_food", RESTAURANT, _reach("product_rating")),
    ("restaurant.subrating_environment", RESTAURANT, _reach("environment_rating")),
    ("restaurant.subrating_service", RESTAURANT, _reach("service_rating")),
    ("restaurant.open", RESTAURANT, _hold("reservable", op="reservable")),
    ("restaurant.open", RESTAURANT, _hold("must_reserve", False, op="no_must_reserve")),
):
    add_exchange(_rubric, _place(_kind), _ask, PLACE_EFFECTS)


# Hotels and rooms.


def _rooms_for(room: Any, people: int) -> list[Json]:
    return [{"id": room.id, "room_num": ceil(people / room.occupancy)}]


def _hotel(*, is_last: bool = False) -> Exchange:
    def another_hotel(
        plan: Json, stage: Stage, random: Random, demand: Callable[[Trade], Constraint | None]
    ) -> Aim:
        """For a night."""
        nights = nights_of(plan)
        number, day = pick(random, nights[-1:] if is_last else nights)
        old, left = stage.hotel(day), [stage.hotel(other) for n, other in nights if n != number]
        for new in shuffle(random, stage.world.hotels_in(old.city))[:30]:
            rooms = [room for room in new.products if room.occupancy]
            if new.id != old.id and rooms and (constraint := demand(Trade(random, stage, old, new, left))):
                day["hotel"].update(id=new.id, products=_rooms_for(random.choice(rooms), stage.frame.people))
                return Aim(number + 1, constraint)
        raise Unfit

    return another_hotel


def _another_room(
    plan: Json, stage: Stage, random: Random, demand: Callable[[Trade], Constraint | None]
) -> Aim:
    """Of the same hotel for a night; only where there is one kind a night."""
    nights = [
        (n, day, stage.hotel(day).product(day["hotel"]["products"][0]["id"])) for n, day in nights_of(plan)
    ]
    if any(len(day["hotel"]["products"]) > 1 for _, day, _ in nights):
        raise Unfit
    number, day, old = pick(random, nights)
    left = [room for n, _, room in nights if n != number]
    for new in shuffle(random, [room for room in stage.hotel(day).products if room.occupancy]):
        if constraint := demand(Trade(random, stage, old, new, left)):
            day["hotel"]["products"] = _rooms_for(new, stage.frame.people)
            return Aim(number + 1, constraint)
    raise Unfit


def _near_way_home(trade: Trade) -> Arguments | None:
    last = spots_of(trade.stage.plan, LEG)[-1].activity
    hub = trade.stage.item(last).from_place.point
    km, km_after = (great_circle_km(hub, one.point) for one in (trade.old, trade.new))
    beside = trade.random.choice(({"km": km}, {"hub_km": km}, {"hub_km": km, "km": 9999}))
    return {"op": "last_near_hub", **beside} if km_after > km + TINY else None


def _cancel(trade: Trade) -> Arguments | None:
    known, new = trade.figures("cancel_hours")
    hours = [one for one in known if one is not None]
    if len(hours) < len(known) or (new is not None and new <= max(hours)):
        return None
    return {"hours": max(hours)}


def _breakfasts(trade: Trade) -> Arguments | None:
    """The rooms that a party takes of one kind are always as many."""
    people = trade.stage.frame.people

    def count(room: Any) -> int | None:
        return None if room.breakfast is None else room.breakfast * ceil(people / room.occupancy)

    nights = [
        (stage_day["hotel"]["products"][0], room)
        for (_, stage_day), room in zip(nights_of(trade.stage.plan), trade.before, strict=True)
    ]
    counts, after = [count(room) for room in trade.before], count(trade.new)
    told = [one for one in counts if one is not None]
    if len(told) < len(nights) or any(
        own["room_num"] != ceil(people / room.occupancy) for own, room in nights
    ):
        return None
    if after is None or after < min(told):
        return {"op": "min", "n": min(told)}
    return {"op": "exact", "n": told[0]} if len({*told}) == 1 and after != told[0] else None


_HOTEL_EFFECTS: Final = ("local_transfers", "spatial_logic", "hotel", "attraction", "general")
"""Another hotel for a night: other ways, no check-in that day, other distances and costs."""
_ROOM_EFFECTS: Final = ("hotel", "general")
for _rubric, _exchange, _ask, _effects in (
    ("hotel.review_count", _hotel(), _reach("review_count"), _HOTEL_EFFECTS),
    ("hotel.good_rate", _hotel(), _reach("good_rate"), _HOTEL_EFFECTS),
    ("hotel.star", _hotel(), _reach("stars"), _HOTEL_EFFECTS),
    ("hotel.aspect_rating", _hotel(), _reach("product_rating", aspect="product"), _HOTEL_EFFECTS),
    ("hotel.aspect_rating", _hotel(), _reach("environment_rating", aspect="environment"), _HOTEL_EFFECTS),
    ("hotel.aspect_rating", _hotel(), _reach("service_rating", aspect="service"), _HOTEL_EFFECTS),
    (
        "hotel.aspect_rating",
        _hotel(),
        _reach("product_rating", "environment_rating", "service_rating", aspect="all"),
        _HOTEL_EFFECTS,
    ),
    ("hotel.hotel_type", _hotel(), _kinds, _HOTEL_EFFECTS),
    ("hotel.pet_friendly", _hotel(), _hold("pet_friendly"), _HOTEL_EFFECTS),
    ("hotel.location", _hotel(), _limit_km(_km_from_centre, op="center"), _HOTEL_EFFECTS),
    ("hotel.location", _hotel(is_last=True), _near_way_home, _HOTEL_EFFECTS),
    ("hotel.cancel_policy", _another_room, _cancel, _ROOM_EFFECTS),
    ("hotel.has_window", _another_room, _hold("window"), _ROOM_EFFECTS),
    ("hotel.breakfast_number", _another_room, _breakfasts, _ROOM_EFFECTS),
    (
        "hotel.cost",
        _another_room,
        lambda trade: {"level": "room_night", **compare_figures(trade.random, *trade.figures("price"))},
        _ROOM_EFFECTS,
    ),
):
    add_exchange(_rubric, _exchange, _ask, _effects)


# Flights and trains.


def _leg(number: int | None = None) -> Exchange:
    def another_leg(
        plan: Json, stage: Stage, random: Random, demand: Callable[[Trade], Constraint | None]
    ) -> Aim:
        """Of the same cities. number: which one, any by default."""
        legs = spots_of(plan, LEG)
        spot = pick(random, legs) if number is None else legs[number]
        old, left = stage.item(spot.activity), [stage.item(one.activity) for one in legs if one != spot]
        for new in shuffle(random, stage.world.services_between(old.from_city, old.to_city))[:30]:
            if (
                new.id != old.id
                and new.products
                and (constraint := demand(Trade(random, stage, old, new, left)))
            ):
                set_span(spot.activity, read_minute(new.depart), read_minute(new.arrive))
                buy(spot.activity, new, stage.frame.people)
                return Aim(spot.day + 1, constraint)
        raise Unfit

    return another_leg


_PERIODS: Final = ("early morning", "morning", "afternoon", "evening")


def _time(trade: Trade) -> Arguments:
    event = trade.random.choice(("depart", "arrive"))
    old, new = (read_minute(getattr(one, event)) for one in (trade.old, trade.new))
    fitting: list[Arguments] = []
    if new != old:
        fitting.append({"op": "window", "a": clock(old), "b": clock(old)})
        fitting.append({"op": "before" if new > old else "after", "a": clock(old)})
    if new // 360 != old // 360:
        fitting.append({"op": "period", "periods": [_PERIODS[old // 360]]})
    return {"event": event, **pick(trade.random, fitting)}


def _punctual(trade: Trade) -> Arguments:
    """Trains are on time."""
    flights, new = [one for one in trade.before if one.kind == "flight"], trade.new
    if new.kind != "flight" or any(None in (one.ontime_rate, one.avg_delay) for one in flights):
        raise Unfit
    rate, delay = (
        min((one.ontime_rate for one in flights), default=1),
        max([0, *(one.avg_delay for one in flights)]),
    )
    fitting: list[Arguments] = []
    if new.ontime_rate is None or new.ontime_rate < rate - TINY:
        fitting += [{"rate": rate}, {"rate": rate, "delay": DAY}]
    if new.avg_delay is None or new.avg_delay > delay + TINY:
        fitting += [{"delay": delay}, {"delay": delay, "rate": 0}]
    return pick(trade.random, fitting)


def _airline(trade: Trade) -> Arguments | None:
    known, new = trade.figures("airline")
    return {"names": [new, "Nobody"]} if new is not None and new not in known else None


_LEG_EFFECTS: Final = (
    *("timeline", "intercity_buffers", "local_transfers", "spatial_logic"),
    *("hotel", "transport", "general"),
)
"""Another flight or train: at other times over other things, from other places, and without its check-in."""
for _rubric, _exchange, _ask in (
    ("transport.time_depart", _leg(0), _time),
    ("transport.time_return", _leg(-1), _time),
    ("transport.ontime", _leg(), _punctual),
    ("transport.airline", _leg(), _airline),
):
    add_exchange(_rubric, _exchange, _ask, _LEG_EFFECTS)
