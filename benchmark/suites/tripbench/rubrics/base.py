"""What all rubrics share: arguments that are checked, comparisons, and what is asked of each item or of the whole."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection
from typing import Annotated, Any, ClassVar, Generic, Literal, Self, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Strict, model_validator

from benchmark.plans.clock import minutes
from benchmark.plans.hours import DAY
from benchmark.suites.tripbench.plans.trip import TINY, Leg, Meal, Night, Trip, Visit

Number = Annotated[float, Strict(), Field(allow_inf_nan=False)]
Text = Annotated[str, Strict()]
Texts = list[Text]


def _clock(text: str) -> int:
    minute = DAY if text == "24:00" else minutes(text)
    if minute is None:
        raise ValueError(f"{text} is no time; write HH:MM")
    return minute


Clock = Annotated[Text, AfterValidator(_clock)]
"""A time such as "09:30", which becomes minutes of a day."""
Comparison = Literal["less", "more", "around", "range", "exclude"]


class Rubric(BaseModel):
    """A requirement with its arguments (appendix B.2).

    key: `domain.name` in constraints. is_global: whether it is said of the whole plan, and not of each item.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: ClassVar[str]
    is_global: ClassVar[bool] = False

    @abstractmethod
    def is_met(self, trip: Trip) -> bool:
        """Whether a plan meets it."""


class FigureRubric(Rubric):
    """With a figure: at most (`less`), at least (`more`) `a`, `around` it, in the `range` from a to b or outside."""

    op: Comparison
    a: Number
    b: Number | None = None

    @model_validator(mode="after")
    def _check_bounds(self) -> Self:
        if self.op in ("range", "exclude") and self.b is None:
            raise ValueError("b is missing")
        return self

    def fits(self, value: float | None, around: float) -> bool:
        """Whether a figure is known and as asked for. around: the share by which it may miss `a`."""
        if value is None:
            return False
        if self.op == "less":
            return value <= self.a + TINY
        if self.op == "more":
            return value >= self.a - TINY
        if self.op == "around":
            return abs(value - self.a) <= around * abs(self.a) + TINY
        is_within = self.a - TINY <= value <= (self.a if self.b is None else self.b) + TINY
        return is_within == (self.op == "range")


def reaches(value: float | None, least: float) -> bool:
    """Whether a figure is known and at least as high."""
    return value is not None and value >= least - TINY


def names_fit(name: str | None, op: str, names: Collection[str]) -> bool:
    """Whether a name is known and among others (`in`), or not (`not_in`)."""
    return name is not None and (name in names) == (op == "in")


Item = TypeVar("Item", Visit, Meal, Leg, Night)


class OfEach(Rubric, Generic[Item]):
    """Said of each item of a domain. needs_some: whether a plan without any fails. figure: of the item's place that
    it asks for, "" where it is another.
    """

    needs_some: ClassVar[bool] = False
    figure: ClassVar[str] = ""

    @abstractmethod
    def items(self, trip: Trip) -> list[Item]:
        """Those that it is said of."""

    @abstractmethod
    def passes(self, item: Item, trip: Trip) -> bool:
        """Whether an item is as asked for."""

    def read_figure(self, item: Item) -> object:
        """The figure of an item, None where it has none."""
        place = next(getattr(item, part) for part in ("place", "hotel", "service") if hasattr(item, part))
        return getattr(place, self.figure, None)

    def is_met(self, trip: Trip) -> bool:
        """Whether all items pass."""
        items = self.items(trip)
        return bool(items or not self.needs_some) and all(self.passes(item, trip) for item in items)


class OfVisits(OfEach[Visit]):
    """Said of each attraction."""

    def items(self, trip: Trip) -> list[Visit]:
        """All attractions."""
        return trip.visits


class OfMeals(OfEach[Meal]):
    """Said of each meal."""

    def items(self, trip: Trip) -> list[Meal]:
        """All meals."""
        return trip.meals


class OfLegs(OfEach[Leg]):
    """Said of each leg."""

    needs_some = True

    def items(self, trip: Trip) -> list[Leg]:
        """All legs."""
        return trip.legs


class OfNights(OfEach[Night]):
    """Said of each night in a hotel."""

    needs_some = True

    def items(self, trip: Trip) -> list[Night]:
        """All nights."""
        return trip.nights


def covers(visited: Collection[str], wanted: Collection[str], mode: Any) -> bool:
    """Whether `all` or `any` of the wanted names are there."""
    hits = [name in visited for name in wanted]
    return all(hits) if mode == "all" else any(hits)
