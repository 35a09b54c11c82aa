"""What a benchmark brings to its reports."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmark.reports.measures import Mean
from benchmark.reports.parts import SHARED_PARTS
from benchmark.reports.report import Part
from benchmark.reports.words import NO_WORDS, PartWords


@dataclass(frozen=True)
class Reporting:
    """What the reports of a benchmark hold.

    parts: in the order in which they are read; every benchmark can have those of SHARED. means, endings: as
    `Measures` has them. counted_event: the type of the events whose number is a figure of each session. issues: the
    key of a session's figures below which issues are counted by type. paper_results: the file of the paper's own
    results. words: those that several parts have in common. counterparts: what `Table 1` beside a heading refers to.
    compares_profiles: whether parts read `RunFigures.by_profile`. compared_metrics: the keys of those whose agreement
    with people's choices between plans parts read in `Report.pair_raters`, beside that of models that compare.
    """

    parts: tuple[Part, ...] = SHARED_PARTS
    means: tuple[Mean, ...] = ()
    endings: tuple[str, ...] = ()
    counted_event: str = ""
    issues: str = ""
    paper_results: Path | None = None
    words: PartWords = NO_WORDS
    counterparts: str = ""
    compares_profiles: bool = False
    compared_metrics: tuple[str, ...] = ()

    def part(self, name: str) -> Part | None:
        """The part of this name; None where these reports have none."""
        return next((part for part in self.parts if part.name == name), None)
