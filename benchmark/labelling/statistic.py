"""What every statistic of labels says beside its value: of how many, by which definition, and why there is none."""

from __future__ import annotations

from dataclasses import dataclass

from benchmark.labelling.binomial import clopper_pearson
from benchmark.remarks import Remark


@dataclass(frozen=True, slots=True)
class Definition:
    """What a statistic is. name and meaning are English message ids.

    meaning: one sentence. source: who defined it so. share: its values are shares of 1, shown in per cent.
    """

    key: str
    name: str
    meaning: str
    source: str
    share: bool = False


@dataclass(frozen=True, slots=True)
class Size:
    """How much a statistic rests on; 0 of a kind that it does not count.

    pairs: of ratings of one item; of raters, in a mean over them.
    """

    items: int = 0
    ratings: int = 0
    pairs: int = 0
    raters: int = 0


@dataclass(frozen=True, slots=True)
class Statistic:
    """A value, or None with the reason.

    low, high: the ends of its interval, where it has one. p: of its test, where it has one.
    remarks: what else a reader has to know, such as what was left out.
    """

    definition: Definition
    value: float | None
    size: Size = Size()
    low: float | None = None
    high: float | None = None
    p: float | None = None
    reason: Remark | None = None
    remarks: tuple[Remark, ...] = ()


def undefined_statistic(
    definition: Definition, reason: str, size: Size = Size(), **values: object
) -> Statistic:
    """A statistic without a value. reason: an English message id; values: what stands in it."""
    return Statistic(definition, None, size, reason=Remark(reason, values))


def share_of(definition: Definition, hits: int, trials: int, nothing: str, size: Size) -> Statistic:
    """A share of independent trials with its exact interval; with `nothing` as the reason where there are none."""
    interval = clopper_pearson(hits, trials)
    if interval is None:
        return undefined_statistic(definition, nothing, size)
    return Statistic(definition, hits / trials, size, *interval)
