"""Whose verdicts a report holds: one judge's with one meta-judge, since two judges are two scales."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, unquote

from benchmark.judging import Pair, prompts_apart
from benchmark.reports import Report
from webapp.judging.verdicts import counting_pairs

PLAIN = " /:()@"
"""What stands in an address as it is, besides letters, digits and `_.-~`."""


@dataclass(frozen=True, slots=True)
class JudgeFilter:
    """Whom a reader asks for; "" for anyone.

    judge, meta_judge: a name, or name and model as in `swapped (fixed5)`; of the judge also with what it was shown,
    as in `swapped on caravan input` or `swapped (fixed5) on published input`. prompts: a version of their prompts, ""
    for any.
    """

    judge: str = ""
    meta_judge: str = ""
    prompts: str = ""

    @classmethod
    def of(cls, address: str) -> JudgeFilter:
        """From `JUDGE,META,PROMPTS`, as addresses have it; what is last may be left out."""
        judge, meta_judge, prompts, *_ = [*map(unquote, address.split(",")), "", "", ""]
        return cls(judge, meta_judge, prompts)

    @classmethod
    def exactly(cls, pair: Pair, pairs: Sequence[Pair]) -> JudgeFilter:
        """What only that one of the pairs meets."""
        prompts = pair.prompts[0] if prompts_apart(pair, pairs) else ""
        return cls(pair.judge_label, pair.meta_label, prompts)

    @property
    def names(self) -> list[str]:
        """All that is asked for."""
        return [part for part in (self.judge, self.meta_judge, self.prompts) if part]

    def __str__(self) -> str:
        parts = (self.judge, self.meta_judge, self.prompts)
        return ",".join(quote(part, safe=PLAIN) for part in parts).rstrip(",")

    def is_met_by(self, pair: Pair | None) -> bool:
        """Whether a pair is what was asked for; without a wish, anything is."""
        if pair is None:
            return self == JudgeFilter()
        return (
            self.judge in ("", *pair.judge_names)
            and self.meta_judge in ("", pair.meta_judge, pair.meta_label)
            and self.prompts in ("", *pair.prompts)
        )


def choose(pairs: Sequence[Pair], wanted: JudgeFilter) -> list[Pair]:
    """The pairs that count, one a rubric (`counting_pairs`), where the first pair that is wanted leads; else the
    first of all.
    """
    return counting_pairs([*filter(wanted.is_met_by, pairs), *pairs])


@dataclass(frozen=True, slots=True)
class Choice:
    """A pair that a reader can ask for. prompts: their versions, "" where they tell it from no other pair."""

    pair: Pair
    address: str
    prompts: str


def choices(report: Report) -> list[Choice]:
    """Every pair that judged, first the one that counts; of the pairs of one judge by several rubrics the first."""
    asked_for: dict[str, Choice] = {}
    for pair in report.pairs:
        address = str(JudgeFilter.exactly(pair, report.pairs))
        asked_for.setdefault(address, Choice(pair, address, prompts_apart(pair, report.pairs)))
    return list(asked_for.values())
