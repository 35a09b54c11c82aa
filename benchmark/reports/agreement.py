"""How far a judge is from human annotators (the paper's appendix C.7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmark.labelling.errors import human_error, judge_error


@dataclass(frozen=True, slots=True)
class RatedSession:
    """One session that a judge and annotators rated, 1 to 5 by dimension.

    judge: means over its verdicts. humans: at least one annotator.
    """

    judge: Mapping[str, float]
    humans: Sequence[Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class UnmatchedRatings:
    """Sessions that annotators rated and that have nothing to compare with, by id.

    unknown_ids: those that are not in the report. unjudged_ids: those in it on which the judge has no verdict.
    """

    unknown_ids: Sequence[str] = ()
    unjudged_ids: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Agreement:
    """Mean absolute errors on the scale of 1 to 5, as `benchmark.labelling.errors` defines them.

    sessions: how many have this dimension rated. humans: None where no session was rated by two.
    """

    sessions: int
    judge: float
    humans: float | None


def agreement(labels: Sequence[RatedSession], dimension: str) -> Agreement | None:
    """The errors of one dimension; None when no session has it rated by both sides."""
    rated = [
        (label.judge[dimension], _of(label.humans, dimension)) for label in labels if dimension in label.judge
    ]
    judge, humans = judge_error(rated), human_error([humans for _, humans in rated])
    return None if judge.value is None else Agreement(judge.size.items, judge.value, humans.value)


def _of(humans: Sequence[Mapping[str, int]], dimension: str) -> list[int]:
    return [human[dimension] for human in humans if dimension in human]
