"""Requirements of attractions (appendix B.2.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random
from typing import Any, Final, Literal, Self

from pydantic import model_validator

from benchmark.suites.tripbench.plans.trip import TINY, Trip, Visit
from benchmark.suites.tripbench.rubrics.base import (
    Basis,
    Number,
    OfVisits,
    Rubric,
    Text,
    Texts,
    covers,
    figures_text,
    sample_names,
)
from benchmark.suites.tripbench.rubrics.candidates import Candidates, quantile
from benchmark.suites.tripbench.rubrics.figures import EachFigure, move_bound, propose_bounds, round_figure
from sandbox.toolsets.tripbench.records import Admission, Attraction

LEVELS: Final = ("1A", "2A", "3A", "4A", "5A")
Level = Literal["1A", "2A", "3A", "4A", "5A"]
_MOST_NAMES: Final = 2
_FEWEST_FOR_HOTEL_KM: Final = 3.0
_USUAL_HOTEL_KM: Final = 15.0


def category_counts(candidates: Candidates) -> Counter[str]:
    """Attractions of the destinations by category."""
    return Counter(name for place in candidates.attractions for name in {*place.categories})


class IncludeCategories(Rubric):
    """Every category is visited, or some."""

    key = "attraction.include_categories"
    is_global = True
    cats: Texts
    mode: Literal["all", "any"] = "all"

    def is_met(self, trip: Trip) -> bool:
        """Whether they are."""
        return covers(_visited_categories(trip), self.cats, self.mode)

    def read_trip(self, trip: Trip) -> str:
        """The categories that are visited."""
        return ", ".join(sorted({*_visited_categories(trip)}))

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        yield from propose_inclusion(random, category_counts(candidates))

    def _stricter(self, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        yield from stricter_inclusion(random, self.cats, self.mode, category_counts(candidates))


def _visited_categories(trip: Trip) -> Counter[str]:
    return Counter(name for visit in trip.visits for name in {*visit.place.categories})


def propose_inclusion(random: Random, counts: Counter[str]) -> Iterator[dict[str, Any]]:
    """Names that all, or any, are to be there."""
    mode = random.choice(("all", "any"))
    names = sample_names(random, counts, _MOST_NAMES + (mode == "any"))
    if names:
        yield {"cats": names, "mode": mode if len(names) > 1 else "all"}


def stricter_inclusion(
    random: Random, names: Sequence[str], mode: str, counts: Counter[str]
) -> Iterator[dict[str, Any]]:
    """All names in place of any; else one name more."""
    if mode == "any" and len(names) > 1:
        yield {"mode": "all"}
    elif more := sorted({*counts} - {*names}):
        yield {"cats": [*names, random.choice(more)], "mode": "all"}


class ExcludeCategories(OfVisits):
    """None of the categories is visited."""

    key = "attraction.exclude_categories"
    figure = "categories"
    longest_chain = 1
    cats: Texts

    def passes(self, item: Attraction, bought: Admission | None, basis: Basis) -> bool:
        """Whether an attraction has none of them."""
        return not {*self.cats} & {*item.categories}

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        yield from propose_exclusion(random, category_counts(candidates))


def propose_exclusion(random: Random, counts: Counter[str]) -> Iterator[dict[str, Any]]:
    """Names that are not to be there: some of the rarer half."""
    rare = [name for name, _ in reversed(counts.most_common())]
    if names := sample_names(random, rare[: (len(rare) + 1) // 2], _MOST_NAMES):
        yield {"cats": names}


def clear_ids(candidates: Candidates) -> list[str]:
    """Of the attractions that their names tell from all others."""
    counts = Counter(place.name for place in candidates.attractions)
    return [place.id for place in candidates.attractions if place.name and counts[place.name] == 1]


class IncludeAttractions(Rubric):
    """All of these are visited."""

    key = "attraction.include_attractions"
    is_global = True
    ids: Texts

    def is_met(self, trip: Trip) -> bool:
        """Whether they are."""
        return {*self.ids} <= {visit.place.id for visit in trip.visits}

    def read_trip(self, trip: Trip) -> str:
        """The attractions that are visited."""
        return ", ".join(visit.place.id for visit in trip.visits)

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        if ids := sample_names(random, clear_ids(candidates), _MOST_NAMES):
            yield {"ids": ids}

    def _stricter(self, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        if more := sorted({*clear_ids(candidates)} - {*self.ids}):
            yield {"ids": [*self.ids, random.choice(more)]}


class ExcludeAttractions(OfVisits):
    """None of these is visited."""

    key = "attraction.exclude_attractions"
    figure = "id"
    longest_chain = 1
    ids: Texts

    def passes(self, item: Attraction, bought: Admission | None, basis: Basis) -> bool:
        """Whether an attraction is none of them."""
        return item.id not in self.ids

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        if ids := sample_names(random, clear_ids(candidates), _MOST_NAMES + 1):
            yield {"ids": ids}


class _AttractionFigure(EachFigure[Visit, Attraction, Admission], OfVisits):
    @classmethod
    def value(cls, item: Attraction, bought: Admission | None, people: int) -> float | None:
        """The attraction's figure."""
        value: float | None = getattr(item, cls.figure)
        return value


class HeatScore(_AttractionFigure):
    """How popular each is."""

    key = "attraction.heat_score"
    figure = "heat"


class CommentScore(_AttractionFigure):
    """How each is rated."""

    key = "attraction.comment_score"
    figure = "rating"


class CommentCount(_AttractionFigure):
    """How many have rated each."""

    key = "attraction.comment_count"
    figure = "comment_count"


class Price(_AttractionFigure):
    """What a ticket for each costs; `free` needs no figure."""

    key = "attraction.price"
    figure = "price"
    op: Literal["free", "less", "more", "around", "range", "exclude"]  # type: ignore[assignment]
    a: Number | None = None  # type: ignore[assignment]

    @model_validator(mode="after")
    def _check_figure(self) -> Self:
        if self.op != "free" and self.a is None:
            raise ValueError("a is missing")
        return self

    def fits(self, value: float | None, around: float) -> bool:
        """Whether a price is known and as asked for."""
        if self.op == "free":
            return value is not None and abs(value) <= TINY
        return super().fits(value, around)

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        """Where much is free, a figure that it is around, or above, leaves little."""
        values = cls.values(candidates)
        if values and values[0] == 0 and random.random() < 0.2:
            yield {"op": "free"}
        for op in random.sample(("less", "less", "range"), 3) if values else ():
            yield propose_bounds(random, values, op)
        yield {"op": "free"}

    def _stricter(self, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        if self.op != "free":
            yield from super()._stricter(random, candidates)


class Distance(OfVisits):
    """How far each is from the centre, or from the hotel of its day, else the last one before."""

    key = "attraction.distance"
    of: Literal["center", "hotel"]
    km: Number

    @property
    def depends_on_others(self) -> bool:
        """Whether it is the distance of a hotel."""
        return self.of == "hotel"

    def passes(self, item: Attraction, bought: Admission | None, basis: Basis) -> bool:
        """Whether an attraction is near enough to the centre."""
        return is_within(basis.world.km_from_centre(item), self.km)

    def holds(self, part: Visit, trip: Trip) -> bool:
        """Whether an attraction is near enough."""
        return is_within(self._km(part, trip), self.km)

    def read_part(self, part: Visit, trip: Trip) -> str:
        """Its kilometres."""
        return figures_text([self._km(part, trip)])

    def _km(self, part: Visit, trip: Trip) -> float | None:
        if self.of == "center":
            return trip.world.km_from_centre(part.place)
        hotel = trip.hotel_until(part.day)
        return None if hotel is None else trip.km(hotel.point, part.place.point)

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        kms = distances(candidates)
        of = random.choice(("center", "hotel"))
        if kms:
            km = round_figure(quantile(kms, random.uniform(0.6, 0.95)), up=True)
            yield {"of": of, "km": km if of == "center" else max(km, _USUAL_HOTEL_KM)}

    def _stricter(self, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        if self.of == "hotel":
            moved = move_bound(random, self.km, up=False)
            if moved >= _FEWEST_FOR_HOTEL_KM:
                yield {"km": moved}
            return
        yield from stricter_distances(distances(candidates), self.km)


def distances(candidates: Candidates) -> list[float]:
    """Of the attractions of the destinations from their centres, the shortest first."""
    kms = (candidates.world.km_from_centre(place) for place in candidates.attractions)
    return sorted(km for km in kms if km is not None)


def stricter_distances(kms: Sequence[float], limit: float) -> Iterator[dict[str, Any]]:
    """Shorter limits, each of which part of some sorted distances keep."""
    within = [km for km in kms if is_within(km, limit)]
    for share in (0.7, 0.6, 0.5, 0.35) if within else ():
        yield {"km": round_figure(quantile(within, share), up=False)}


def is_within(km: float | None, limit: float | None) -> bool:
    """Whether a distance and its limit are known, and it is no longer."""
    return km is not None and limit is not None and km <= limit + TINY


class CategoryPriority(Rubric):
    """The first category is visited, and each other one no more often than the one before."""

    key = "attraction.category_priority"
    is_global = True
    cats: Texts

    def is_met(self, trip: Trip) -> bool:
        """Whether they are."""
        counts = self._counts(trip)
        return bool(counts) and counts[0] >= 1 and all(first >= then for first, then in pairwise(counts))

    def _counts(self, trip: Trip) -> list[int]:
        visited = _visited_categories(trip)
        return [visited[name] for name in self.cats]

    def read_trip(self, trip: Trip) -> str:
        """How often each category is visited."""
        return figures_text(self._counts(trip))

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        counts = category_counts(candidates)
        names = sample_names(random, counts, _MOST_NAMES)
        if len(counts) > 1 and (more := sorted({*counts} - {*names})):
            yield {"cats": [*names, random.choice(more)]}

    def _stricter(self, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        if more := sorted({*category_counts(candidates)} - {*self.cats}):
            yield {"cats": [*self.cats, random.choice(more)]}


class SightLevel(Rubric):
    """Some attraction, or each, is of a level."""

    key = "attraction.sight_level"
    is_global = True
    longest_chain = 2
    op: Literal["exact", "at_least"]
    level: Level
    quant: Literal["any", "all"] = "any"

    def is_met(self, trip: Trip) -> bool:
        """Whether they are."""
        hits = [self.has_level(visit.place.sight_level) for visit in trip.visits]
        return any(hits) if self.quant == "any" else all(hits)

    def read_trip(self, trip: Trip) -> str:
        """The levels that are visited."""
        return ", ".join(visit.place.sight_level or "–" for visit in trip.visits)

    def has_level(self, level: Text | None) -> bool:
        """Whether a level is as asked for."""
        if self.op == "exact":
            return level == self.level
        return level in LEVELS and LEVELS.index(level) >= LEVELS.index(self.level)

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        levels = _levels(candidates)
        if levels:
            op = random.choice(("exact", "at_least"))
            quant = "any" if random.random() < 0.8 else "all"
            yield {"op": op, "level": random.choice(levels), "quant": quant}

    def _stricter(self, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        higher = [level for level in _levels(candidates) if LEVELS.index(level) > LEVELS.index(self.level)]
        if self.op == "at_least" and higher:
            yield {"level": higher[0]}
        elif self.op == "at_least" and self._is_topped(candidates):
            yield {"op": "exact"}

    def _is_topped(self, candidates: Candidates) -> bool:
        return self.level != LEVELS[-1] and self.level in _levels(candidates)


def _levels(candidates: Candidates) -> list[str]:
    """Of the attractions of the destinations, the lowest first."""
    return sorted({place.sight_level for place in candidates.attractions if place.sight_level in LEVELS})
