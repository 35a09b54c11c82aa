"""Requirements of hotels (appendix B.2.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import ceil
from random import Random
from typing import Any, Final, Literal, Self

from pydantic import model_validator

from benchmark.suites.tripbench.plans.trip import TINY, Night, Trip
from benchmark.suites.tripbench.rubrics.attractions import is_within, stricter_distances
from benchmark.suites.tripbench.rubrics.base import (
    Basis,
    Number,
    OfNights,
    Rubric,
    Texts,
    figures_text,
    names_fit,
    reaches,
    sample_names,
    value_text,
)
from benchmark.suites.tripbench.rubrics.candidates import Candidates, quantile
from benchmark.suites.tripbench.rubrics.figures import (
    FigureRubric,
    LeastFigure,
    move_bound,
    propose_bounds,
    round_figure,
)
from sandbox.toolsets.tripbench.records import Hotel, Room

Level = Literal["room_night", "person_night", "night_total", "person_total", "total"]
LEVELS: Final[tuple[Level, ...]] = ("room_night", "person_night", "night_total", "person_total", "total")
_USUAL_HUB_KM: Final = (10.0, 30.0)
_LEAST_KM: Final = 1.0
_MOST_NAMES: Final = 4
"""That are allowed at once."""


class Cost(FigureRubric):
    """What a room, a night or the stay costs, whole or for a person."""

    key = "hotel.cost"
    is_global = True
    level: Level

    def is_met(self, trip: Trip) -> bool:
        """Whether every figure of the level fits."""
        around = trip.parameters.around_share
        figures = self._figures(trip)
        return bool(trip.nights) and all(self.fits(figure, around) for figure in figures)

    def read_trip(self, trip: Trip) -> str:
        """Every figure of the level."""
        return figures_text(self._figures(trip))

    def _figures(self, trip: Trip) -> list[float | None]:
        if self.level == "room_night":
            return [room.price for night in trip.nights for room, _ in night.rooms]
        nights = [night.cost for night in trip.nights]
        figures = nights if "night" in self.level else [add_known(nights)]
        share = trip.people if self.level.startswith("person") else 1
        return [None if figure is None else figure / share for figure in figures]

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        level = random.choice(LEVELS)
        values = usual_costs(candidates, level)
        op = random.choice(("less", "less", "more", "around", "range", "exclude"))
        if values:
            yield {"level": level, **propose_bounds(random, values, op)}

    def _stricter(self, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        values = usual_costs(candidates, self.level)
        for changes in self._moved_bounds(random, candidates.parameters.around_share):
            moved = self.read({**self.arguments, **changes})
            if moved and any(moved.fits(value, candidates.parameters.around_share) for value in values):
                yield changes


def usual_costs(candidates: Candidates, level: Level) -> list[float]:
    """Figures of a level in the cheapest rooms of hotels, cheapest first; of the stay, at a share of the prices."""
    if level == "room_night":
        return sorted(room.price for _, room in candidates.rooms if room.price is not None)
    share = candidates.people if level.startswith("person") else 1
    if "night" in level:
        return sorted(cost / share for costs in candidates.night_costs for cost in costs)
    costs = [candidates.stay_cost(n / 20) for n in range(20)]
    return sorted(cost / share for cost in costs if cost is not None)


def add_known(figures: list[float | None]) -> float | None:
    """The sum; None where one is not known."""
    return None if None in figures else sum(figure for figure in figures if figure is not None)


class HotelType(OfNights):
    """Each is of some types, or of none of them."""

    key = "hotel.hotel_type"
    figure = "type"
    op: Literal["in", "not_in"]
    types: Texts

    def passes(self, item: Hotel, bought: Room | None, basis: Basis) -> bool:
        """Whether a hotel's type fits."""
        return names_fit(item.type, self.op, self.types)

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        yield from propose_names(random, Counter(h.type for h, _ in candidates.rooms if h.type), "types")

    def _stricter(self, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        yield from stricter_names(
            random, self.types, self.op, {h.type for h, _ in candidates.rooms if h.type}, "types"
        )


def propose_names(random: Random, counts: Counter[str], field: str) -> Iterator[dict[str, Any]]:
    """Names that are allowed (the commonest), or not (a rarer one)."""
    common = [name for name, _ in counts.most_common()]
    if not common:
        return
    if len(common) > 1 and random.random() < 0.5:
        yield {"op": "not_in", field: [random.choice(common[len(common) // 2 :])]}
    yield {"op": "in", field: common[: min(_MOST_NAMES, (2 * len(common) + 2) // 3)]}


def stricter_names(
    random: Random, names: list[str], op: str, known: set[str], field: str
) -> Iterator[dict[str, Any]]:
    """Fewer names that are allowed; more that are not."""
    if op == "in":
        for name in random.sample(names, len(names)):
            yield {field: [each for each in names if each != name]}
        return
    for name in sample_names(random, known - {*names}, len(known)):
        yield {field: [*names, name]}


class ReviewCount(LeastFigure[Night, Hotel, Room], OfNights):
    """How many have reviewed each."""

    key = "hotel.review_count"
    figure = "review_count"


class GoodRate(LeastFigure[Night, Hotel, Room], OfNights):
    """The share of good reviews of each."""

    key = "hotel.good_rate"
    figure = "good_rate"


class Star(LeastFigure[Night, Hotel, Room], OfNights):
    """The stars of each."""

    key = "hotel.star"
    figure = "stars"
    longest_chain = 2


class AspectRating(OfNights):
    """How an aspect of each is rated, or every aspect."""

    key = "hotel.aspect_rating"
    aspect: Literal["all", "product", "environment", "service"]
    min: Number

    def passes(self, item: Hotel, bought: Room | None, basis: Basis) -> bool:
        """Whether the ratings are high enough."""
        return reaches(_lowest_rating(item, self.aspect), self.min)

    def read_part(self, part: Night, trip: Trip) -> str:
        """The lowest rating that is asked for."""
        return value_text(_lowest_rating(part.hotel, self.aspect))

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        aspect = random.choice(("all", "product", "environment", "service"))
        if values := _ratings(candidates, aspect):
            yield {"aspect": aspect, "min": propose_bounds(random, values, "more")["a"]}

    def _stricter(self, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        passing = [value for value in _ratings(candidates, self.aspect) if reaches(value, self.min)]
        for share in (0.7, 0.6, 0.45, 0.3) if passing else ():
            yield {"min": round_figure(quantile(passing, 1 - share), up=True)}


def _lowest_rating(hotel: Hotel, aspect: str) -> float | None:
    names = ("product", "environment", "service") if aspect == "all" else (aspect,)
    ratings: list[float | None] = [getattr(hotel, f"{name}_rating") for name in names]
    return None if None in ratings else min(rating for rating in ratings if rating is not None)


def _ratings(candidates: Candidates, aspect: str) -> list[float]:
    hotels = {hotel.id: hotel for hotel, _ in candidates.rooms}
    ratings = (_lowest_rating(hotel, aspect) for hotel in hotels.values())
    return sorted(rating for rating in ratings if rating is not None)


class CancelPolicy(OfNights):
    """Each room can be given back until so many hours before the check-in."""

    key = "hotel.cancel_policy"
    figure = "cancel_hours"
    has_products = True
    hours: Number

    def passes(self, item: Hotel, bought: Room | None, basis: Basis) -> bool:
        """Whether a room can."""
        hours = bought.cancel_hours if bought is not None else None
        return hours is not None and hours <= self.hours + TINY

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        if hours := _cancel_hours(candidates):
            yield {"hours": random.choice(hours[len(hours) // 2 :])}

    def _stricter(self, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        for hours in reversed(_cancel_hours(candidates)):
            if hours < self.hours:
                yield {"hours": hours}


def _cancel_hours(candidates: Candidates) -> list[float]:
    """All that rooms have, the fewest first."""
    return sorted({room.cancel_hours for _, room in candidates.rooms if room.cancel_hours is not None})


class PetFriendly(OfNights):
    """Each takes pets."""

    key = "hotel.pet_friendly"
    figure = "pet_friendly"
    longest_chain = 1

    def passes(self, item: Hotel, bought: Room | None, basis: Basis) -> bool:
        """Whether a hotel does."""
        return item.pet_friendly is True

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        yield {}


class HasWindow(OfNights):
    """Each room has a window."""

    key = "hotel.has_window"
    figure = "window"
    has_products = True
    longest_chain = 1

    def passes(self, item: Hotel, bought: Room | None, basis: Basis) -> bool:
        """Whether a room has one."""
        return bought is not None and bought.window is True

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        yield {}


def _served_breakfasts(night: Night) -> int | None:
    known = [(room.breakfast, count) for room, count in night.rooms]
    return (
        None if any(each is None for each, _ in known) else sum((each or 0) * count for each, count in known)
    )


class BreakfastNumber(Rubric):
    """How many breakfasts a night comes with."""

    key = "hotel.breakfast_number"
    is_global = True
    longest_chain = 2
    op: Literal["exact", "min"]
    n: Number

    def is_met(self, trip: Trip) -> bool:
        """Whether every night has as many."""
        return bool(trip.nights) and all(self._fits(night) for night in trip.nights)

    def read_trip(self, trip: Trip) -> str:
        """How many each night has."""
        return figures_text(map(_served_breakfasts, trip.nights))

    def _fits(self, night: Night) -> bool:
        served = _served_breakfasts(night)
        return (
            served is not None and reaches(served, self.n) and (self.op == "min" or served <= self.n + TINY)
        )

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        op = random.choice(("exact", "min"))
        if served := _breakfast_counts(candidates, op):
            yield {"op": op, "n": random.choice(served) if op == "exact" else served[0]}

    def _stricter(self, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        more = [count for count in _breakfast_counts(candidates, self.op) if count > self.n]
        if self.op == "min" and more:
            yield {"n": more[0]}


def _breakfast_counts(candidates: Candidates, op: str) -> list[int]:
    """Of each room as often as the party needs it, where all cities of the trip have as many; the fewest first.

    Nobody asks for more breakfasts than there are people, though rooms with beds to spare come with more: such rooms
    have too many (`exact`), or enough for all (`min`).
    """
    cities: dict[int, set[str]] = {}
    for hotel, room in candidates.rooms:
        if room.breakfast:
            count = room.breakfast * ceil(candidates.people / room.occupancy)
            asked = count if op == "exact" else min(count, candidates.people)
            cities.setdefault(asked, set()).add(hotel.city)
    nights = {*candidates.frame.nights}
    return sorted(count for count, own in cities.items() if count <= candidates.people and own >= nights)


def _km_from_way_home(trip: Trip) -> float | None:
    """From the last hotel to where the last leg starts; None without either."""
    if not trip.legs or not trip.nights:
        return None
    return trip.km(trip.legs[-1].service.from_place.point, trip.nights[-1].hotel.point)


class Location(OfNights):
    """Near the centre each night, or but the last one, which is near where the last leg starts, or that alone."""

    key = "hotel.location"
    is_global = True
    op: Literal["center", "center_except_last", "last_near_hub"]
    km: Number | None = None
    hub_km: Number | None = None

    @model_validator(mode="after")
    def _check_distances(self) -> Self:
        if self.km is None and (self.op != "last_near_hub" or self.hub_km is None):
            raise ValueError("km is missing")
        return self

    @property
    def depends_on_others(self) -> bool:
        """Whether the last night is another."""
        return self.op != "center"

    def passes(self, item: Hotel, bought: Room | None, basis: Basis) -> bool:
        """Whether a hotel is near the centre."""
        return is_within(basis.world.km_from_centre(item), self.km)

    def holds(self, part: Night, trip: Trip) -> bool:
        """Whether a night is near the centre, where all are to be."""
        return self.op != "center" or super().holds(part, trip)

    def read_part(self, part: Night, trip: Trip) -> str:
        """Kilometres from the centre."""
        return figures_text([trip.world.km_from_centre(part.hotel)])

    def is_met(self, trip: Trip) -> bool:
        """Whether they are."""
        if not trip.nights:
            return False
        central = {"center": trip.nights, "center_except_last": trip.nights[:-1], "last_near_hub": []}[
            self.op
        ]
        if not all(self.passes(night.hotel, None, trip) for night in central):
            return False
        return self.op == "center" or self._is_near_hub(trip)

    def _is_near_hub(self, trip: Trip) -> bool:
        limit = self.km if self.hub_km is None else self.hub_km
        return is_within(_km_from_way_home(trip), limit)

    def read_trip(self, trip: Trip) -> str:
        """Kilometres of each night from the centre, and of the last one from where the last leg starts."""
        centre = [trip.world.km_from_centre(night.hotel) for night in trip.nights]
        return f"{figures_text(centre)}; {figures_text([_km_from_way_home(trip)])}"

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        kms = _hotel_distances(candidates)
        if not kms:
            return
        op = random.choice(("center", "center", "center_except_last", "last_near_hub"))
        km = round_figure(quantile(kms, random.uniform(0.6, 0.95)), up=True)
        hub_km = round_figure(random.uniform(*_USUAL_HUB_KM), up=True)
        yield {
            "center": {"op": op, "km": km},
            "center_except_last": {"op": op, "km": km, "hub_km": hub_km},
            "last_near_hub": {"op": op, "hub_km": hub_km},
        }[op]

    def _stricter(self, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        if self.op == "center" and self.km is not None:
            yield from stricter_distances(_hotel_distances(candidates), self.km)
            return
        field = "hub_km" if self.hub_km is not None else "km"
        moved = move_bound(random, self.hub_km or self.km or 0, up=False)
        if moved >= _LEAST_KM:
            yield {field: moved}


def _hotel_distances(candidates: Candidates) -> list[float]:
    hotels = {hotel.id: hotel for hotel, _ in candidates.rooms}
    kms = (candidates.world.km_from_centre(hotel) for hotel in hotels.values())
    return sorted(km for km in kms if km is not None)
