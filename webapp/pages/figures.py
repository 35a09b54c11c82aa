"""The words of a benchmark's figures, in reports and beside runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from django.utils.functional import Promise

from webapp.pages.kinds import Tally


@dataclass(frozen=True)
class ReportWords:
    """What the reports of a benchmark say beside the words that all have, or in their place.

    titles: of a part, its heading and what it shows. columns: their heads. axes: their titles by part and column, and
    of a column with all figures by part and figure. values: of names in columns, by column. notes: sentences. means:
    what each mean of several metrics is. counterparts: what `Table 1` beside a heading refers to. colours: CSS
    variables of names that charts tell apart, by column; under "" that of charts that tell none apart.
    """

    titles: Mapping[str, tuple[Promise, Promise]] = field(default_factory=dict)
    columns: Mapping[str, Promise] = field(default_factory=dict)
    axes: Mapping[tuple[str, str], Promise] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, Promise]] = field(default_factory=dict)
    notes: Mapping[str, Promise] = field(default_factory=dict)
    means: Mapping[str, Promise] = field(default_factory=dict)
    counterparts: Promise | str = ""
    colours: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class FigureWords:
    """The words of a benchmark's figures."""

    issues: Mapping[str, Promise] = field(default_factory=dict)
    """Kinds of what is wrong with a plan, by the types that its scoring counts."""
    report: ReportWords = field(default_factory=ReportWords)
    """Of its reports."""
    statistics: ReportWords = field(default_factory=ReportWords)
    """Of the statistics of its tasks."""
    averages: Promise | str = ""
    """A sentence on its averages over tasks, for the page of a run."""
    crashes: Promise | str = ""
    """What a session that crashed counts as, in a sentence."""
    good: Promise | str = ""
    """When a figure is a good one, in a sentence or two for a first reader."""
    tally: Callable[[Tally, Path], tuple[str, Sequence[str]]] = lambda tally, catalogue: ("", ())
    """A line of what a scored file held, and warnings; from the tally of `Scoring.file` and the catalogue's path."""
