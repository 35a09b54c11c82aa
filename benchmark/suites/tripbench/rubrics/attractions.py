"""Requirements of attractions (appendix B.2.1)."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import ClassVar, Final, Literal, Self

from pydantic import model_validator

from benchmark.suites.tripbench.plans.trip import TINY, Trip, Visit
from benchmark.suites.tripbench.rubrics.base import (
    FigureRubric,
    Number,
    OfVisits,
    Rubric,
    Text,
    Texts,
    covers,
)

LEVELS: Final = ("1A", "2A", "3A", "4A", "5A")
Level = Literal["1A", "2A", "3A", "4A", "5A"]


class IncludeCategories(Rubric):
    """Every category is visited, or some."""

    key = "attraction.include_categories"
    is_global = True
    cats: Texts
    mode: Literal["all", "any"] = "all"

    def is_met(self, trip: Trip) -> bool:
        """Whether they are."""
        return covers(
            {name for visit in trip.visits for name in visit.place.categories}, self.cats, self.mode
        )


class ExcludeCategories(OfVisits):
    """None of the categories is visited."""

    key = "attraction.exclude_categories"
    cats: Texts

    def passes(self, item: Visit, trip: Trip) -> bool:
        """Whether an attraction has none of them."""
        return not {*self.cats} & {*item.place.categories}


class IncludeAttractions(Rubric):
    """All of these are visited."""

    key = "attraction.include_attractions"
    is_global = True
    ids: Texts

    def is_met(self, trip: Trip) -> bool:
        """Whether they are."""
        return {*self.ids} <= {visit.place.id for visit in trip.visits}


class ExcludeAttractions(OfVisits):
    """None of these is visited."""

    key = "attraction.exclude_attractions"
    ids: Texts

    def passes(self, item: Visit, trip: Trip) -> bool:
        """Whether an attraction is none of them."""
        return item.place.id not in self.ids


class _AttractionFigure(FigureRubric, OfVisits):
    figure: ClassVar[str]

    def passes(self, item: Visit, trip: Trip) -> bool:
        """Whether the attraction's figure fits."""
        return self.fits(getattr(item.place, self.figure), trip.parameters.around_share)


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


class Price(FigureRubric, OfVisits):
    """What a ticket for each costs; `free` needs no figure."""

    key = "attraction.price"
    op: Literal["free", "less", "more", "around", "range", "exclude"]  # type: ignore[assignment]
    a: Number | None = None  # type: ignore[assignment]

    @model_validator(mode="after")
    def _check_figure(self) -> Self:
        if self.op != "free" and self.a is None:
            raise ValueError("a is missing")
        return self

    def passes(self, item: Visit, trip: Trip) -> bool:
        """Whether the price of a ticket fits."""
        if self.op == "free":
            return item.place.price is not None and abs(item.place.price) <= TINY
        return self.fits(item.place.price, trip.parameters.around_share)


class Distance(OfVisits):
    """How far each is from the centre, or from the hotel of its day, else the last one before."""

    key = "attraction.distance"
    of: Literal["center", "hotel"]
    km: Number

    def passes(self, item: Visit, trip: Trip) -> bool:
        """Whether an attraction is near enough."""
        if self.of == "center":
            km = trip.world.km_from_centre(item.place)
        else:
            hotel = trip.hotel_until(item.day)
            km = None if hotel is None else trip.km(hotel.point, item.place.point)
        return km is not None and km <= self.km + TINY


class CategoryPriority(Rubric):
    """The first category is visited, and each other one no more often than the one before."""

    key = "attraction.category_priority"
    is_global = True
    cats: Texts

    def is_met(self, trip: Trip) -> bool:
        """Whether they are."""
        visited = Counter(name for visit in trip.visits for name in {*visit.place.categories})
        counts = [visited[name] for name in self.cats]
        return bool(counts) and counts[0] >= 1 and all(first >= then for first, then in pairwise(counts))


class SightLevel(Rubric):
    """Some attraction, or each, is of a level."""

    key = "attraction.sight_level"
    is_global = True
    op: Literal["exact", "at_least"]
    level: Level
    quant: Literal["any", "all"] = "any"

    def is_met(self, trip: Trip) -> bool:
        """Whether they are."""
        hits = [self._has_level(visit.place.sight_level) for visit in trip.visits]
        return any(hits) if self.quant == "any" else all(hits)

    def _has_level(self, level: Text | None) -> bool:
        if self.op == "exact":
            return level == self.level
        return level in LEVELS and LEVELS.index(level) >= LEVELS.index(self.level)
