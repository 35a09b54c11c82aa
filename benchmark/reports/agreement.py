"""How far a judge is from human annotators (the paper's appendix C.7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median


@dataclass(frozen=True, slots=True)
class Labelled:
    """One session that a judge and annotators rated, 1 to 5 by dimension.

    judge: means over its verdicts. humans: at least one annotator.
    """

    judge: Mapping[str, float]
    humans: Sequence[Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Unmatched:
    """Sessions that annotators rated and that have nothing to compare with, by id.

    unknown: those that are not in the report. unjudged: those in it on which the judge has no verdict.
    """

    unknown: Sequence[str] = ()
    unjudged: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Agreement:
    """Mean absolute errors on the scale of 1 to 5. sessions: how many have this dimension rated.

    judge: of the judge from each annotator, averaged over annotators. humans: of each annotator from the median of
    all, averaged likewise; None where nobody was rated by two.
    """

    sessions: int
    judge: float
    humans: float | None


def agreement(labels: Sequence[Labelled], dimension: str) -> Agreement | None:
    """The errors of one dimension; None when no session has it rated by both sides."""
    rated = [
        (label.judge[dimension], _of(label.humans, dimension)) for label in labels if dimension in label.judge
    ]
    rated = [(judge, humans) for judge, humans in rated if humans]
    if not rated:
        return None
    several = [humans for _, humans in rated if len(humans) > 1]
    return Agreement(
        sessions=len(rated),
        judge=fmean(fmean(abs(judge - human) for human in humans) for judge, humans in rated),
        humans=fmean(map(_from_median, several)) if several else None,
    )


def _of(humans: Sequence[Mapping[str, int]], dimension: str) -> list[int]:
    return [human[dimension] for human in humans if dimension in human]


def _from_median(humans: Sequence[int]) -> float:
    middle = median(humans)
    return fmean(abs(human - middle) for human in humans)
