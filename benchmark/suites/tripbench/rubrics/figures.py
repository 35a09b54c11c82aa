"""Requirements of a figure: comparisons, round bounds that part of the figures keep, and stricter bounds."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Generic, Literal, Self, get_args

from pydantic import model_validator

from benchmark.suites.tripbench.plans.trip import TINY
from benchmark.suites.tripbench.rubrics.base import Basis, Item, Number, OfEach, Offer, Part, Rubric, reaches
from benchmark.suites.tripbench.rubrics.candidates import Candidates, choice_of, quantile

Comparison = Literal["less", "more", "around", "range", "exclude"]
COMPARISONS: tuple[Comparison, ...] = get_args(Comparison)
_MOVES = (0.10, 0.25)
"""By which share a bound of the whole moves."""
_SHARES_LEFT = (0.75, 0.65, 0.5, 0.35, 0.2)
"""Of the figures that pass, how many pass a stricter bound: the first that is round enough."""


def round_figure(value: float, *, up: bool, digits: int = 2) -> float:
    """The next figure of so many digits."""
    if not value or not math.isfinite(value):
        return value
    places = digits - 1 - math.floor(math.log10(abs(value)))
    scale = 10.0 ** abs(places)
    scaled = value * scale if places >= 0 else value / scale
    whole = math.ceil(scaled - 1e-9) if up else math.floor(scaled + 1e-9)
    return whole / scale if places >= 0 else whole * scale


def move_bound(random: Random, value: float, *, up: bool) -> float:
    """A bound that moves by 10 to 25 %, and is as round as that allows."""
    low, high = _MOVES
    moved = value * (1 + (random.uniform(low, high) * (1 if up else -1)))
    for digits in (2, 3, 4):
        rounded = round_figure(moved, up=up, digits=digits)
        if low - TINY <= abs(rounded / value - 1) <= high + TINY:
            return rounded
    return moved


def propose_bounds(random: Random, values: Sequence[float], op: str) -> dict[str, Any]:
    """A comparison that a good part of some sorted figures keeps."""
    low, high = random.uniform(0.05, 0.25), random.uniform(0.75, 0.95)
    if op == "less":
        return {"op": op, "a": round_figure(quantile(values, random.uniform(0.65, 0.95)), up=True)}
    if op == "more":
        return {"op": op, "a": round_figure(quantile(values, random.uniform(0.05, 0.35)), up=False)}
    if op == "around":
        return {"op": op, "a": round_figure(quantile(values, random.uniform(0.35, 0.65)), up=False)}
    if op == "exclude":
        low, high = random.choice(((0.0, 0.2), (0.85, 1.0)))
    ends = round_figure(quantile(values, low), up=False), round_figure(quantile(values, high), up=True)
    return {"op": op, "a": ends[0], "b": ends[1]}


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

    def _stricter_bounds(
        self, random: Random, values: Sequence[float], around: float
    ) -> Iterator[dict[str, Any]]:
        """Bounds that fewer of some sorted figures keep. around: as in `fits`."""
        passing = [value for value in values if self.fits(value, around)]
        low, high = self._interval(around)
        for share in _SHARES_LEFT if passing else ():
            if self.op == "less":
                yield {"a": round_figure(quantile(passing, share), up=False)}
            elif self.op == "more":
                yield {"a": round_figure(quantile(passing, 1 - share), up=True)}
            elif self.op == "exclude":
                yield from self._wider_gap(passing, share)
            else:
                drop = random.random() * (1 - share)
                start = max(low, round_figure(quantile(passing, drop), up=False))
                end = min(high, round_figure(quantile(passing, drop + share), up=True))
                yield {"op": "range", "a": start, "b": end}

    def _interval(self, around: float) -> tuple[float, float]:
        if self.op == "around":
            miss = around * abs(self.a)
            return round_figure(self.a - miss, up=True, digits=3), round_figure(
                self.a + miss, up=False, digits=3
            )
        return self.a, self.a if self.b is None else self.b

    def _wider_gap(self, passing: Sequence[float], share: float) -> Iterator[dict[str, Any]]:
        end = self.a if self.b is None else self.b
        above = [value for value in passing if value > end]
        below = [value for value in passing if value < self.a]
        if len(above) >= len(below):
            wanted = (share * len(passing) - len(below)) / len(above) if above else 0
            if above and 0 <= wanted <= 1:
                yield {"b": max(end, round_figure(quantile(above, 1 - wanted), up=False))}
        else:
            wanted = (share * len(passing) - len(above)) / len(below)
            if 0 <= wanted <= 1:
                yield {"a": min(self.a, round_figure(quantile(below, wanted), up=True))}

    def _moved_bounds(self, random: Random, around: float) -> Iterator[dict[str, Any]]:
        """Bounds of the whole that are closer by 10 to 25 %."""
        low, high = self._interval(around)
        if self.op in ("less", "more"):
            yield {"a": move_bound(random, self.a, up=self.op == "more")}
        elif self.op == "exclude":
            yield {"b": move_bound(random, high, up=True)}
        elif self.op == "around":
            yield {"op": "range", "a": low, "b": move_bound(random, high, up=False)}
        else:
            low_moves = random.random() < 0.5
            yield (
                {"a": move_bound(random, low, up=True)}
                if low_moves
                else {"b": move_bound(random, high, up=False)}
            )


class _OfFigure(OfEach[Part, Item, Offer], Generic[Part, Item, Offer]):
    """Said of a figure of each item."""

    @classmethod
    @abstractmethod
    def value(cls, item: Item, bought: Offer | None, people: int) -> float | None:
        """The figure; None where it is not known."""

    @classmethod
    def values(cls, candidates: Candidates) -> list[float]:
        """All figures that are known, the lowest first."""
        figures = {
            choice_of(*pair)[: 1 + cls.has_products]: cls.value(*pair, candidates.people)
            for pair in cls.pool(candidates)
        }
        return sorted(value for value in figures.values() if value is not None)


class EachFigure(FigureRubric, _OfFigure[Part, Item, Offer], Generic[Part, Item, Offer]):
    """A figure of each item is compared."""

    def passes(self, item: Item, bought: Offer | None, basis: Basis) -> bool:
        """Whether the figure fits."""
        return self.fits(self.value(item, bought, basis.people), basis.parameters.around_share)

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        values = cls.values(candidates)
        for op in random.sample(COMPARISONS, len(COMPARISONS)) if values else ():
            yield propose_bounds(random, values, op)

    def _stricter(self, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        yield from self._stricter_bounds(random, self.values(candidates), candidates.parameters.around_share)


class LeastFigure(_OfFigure[Part, Item, Offer], Generic[Part, Item, Offer]):
    """A figure of each item is high enough."""

    min: Number

    @classmethod
    def value(cls, item: Item, bought: Offer | None, people: int) -> float | None:
        """The figure; None where it is not known."""
        value: float | None = getattr(item, cls.figure)
        return value

    def passes(self, item: Item, bought: Offer | None, basis: Basis) -> bool:
        """Whether the figure is high enough."""
        return reaches(self.value(item, bought, basis.people), self.min)

    @classmethod
    def _proposals(cls, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        values = cls.values(candidates)
        if values:
            yield {"min": propose_bounds(random, values, "more")["a"]}

    def _stricter(self, random: Random, candidates: Candidates) -> Iterator[dict[str, Any]]:
        passing = [value for value in self.values(candidates) if reaches(value, self.min)]
        for share in _SHARES_LEFT if passing else ():
            yield {"min": round_figure(quantile(passing, 1 - share), up=True)}
