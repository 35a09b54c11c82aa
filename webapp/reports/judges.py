"""Whose verdicts a report holds: one judge's with one meta-judge, since two judges are two scales."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Max

from benchmark.reports import Pair
from webapp.judging.models import JudgeBatch
from webapp.judging.selectors import Verdict
from webapp.runs.models import Run

Names = tuple[str, str]
"""A judge's and a meta-judge's."""
Verdicts = Mapping[str, Sequence[Verdict]]
"""By session, oldest first."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Whom a reader asks for, by name; "" for anyone."""

    judge: str = ""
    meta_judge: str = ""

    @classmethod
    def of(cls, address: str) -> Wanted:
        """From `JUDGE,META`, as addresses have it; the meta-judge may be left out."""
        judge, _, meta_judge = address.partition(",")
        return cls(judge, meta_judge)

    def __str__(self) -> str:
        return ",".join(filter(None, (self.judge, self.meta_judge)))

    def is_met_by(self, pair: Pair | None) -> bool:
        """Whether a pair is what was asked for; without a wish, anything is."""
        if pair is None:
            return self == Wanted()
        return self.judge in ("", pair.judge) and self.meta_judge in ("", pair.meta_judge)


def pairs_of(runs: Sequence[Run], sessions: Iterable[str], verdicts: Verdicts) -> list[Pair]:
    """The pairs that judged any of these sessions: first who scored the most, of as many whoever was asked last."""
    own = [verdicts[session] for session in sessions if session in verdicts]
    rated = Counter(names for given in own for names in {(one.judge, one.meta_judge) for one in given})
    scored = Counter(
        names for given in own for names in {(o.judge, o.meta_judge) for o in given if o.score is not None}
    )
    asked = _newest(runs) if len(rated) > 1 else dict.fromkeys(rated)
    ordered = sorted(rated, key=lambda names: (scored[names], rated[names], asked[names]), reverse=True)
    return [Pair(*names, scored[names]) for names in ordered]


def _newest(runs: Sequence[Run]) -> dict[Names, Any]:
    """When each pair was asked last of sessions of these runs."""
    batches = JudgeBatch.objects.filter(judgements__session__run__in=runs).order_by()
    found = batches.values_list("judge__name", "meta_judge__name").annotate(Max("created_at"))
    return {(judge, meta_judge): asked for judge, meta_judge, asked in found}


def choose(pairs: Sequence[Pair], wanted: Wanted) -> Pair | None:
    """The first pair that is wanted, else the first."""
    return next((pair for pair in pairs if wanted.is_met_by(pair)), pairs[0] if pairs else None)


def verdicts_by(pair: Pair | None, verdicts: Sequence[Verdict]) -> Sequence[Verdict]:
    """Those of one pair."""
    if pair is None:
        return ()
    return [one for one in verdicts if (one.judge, one.meta_judge) == (pair.judge, pair.meta_judge)]
