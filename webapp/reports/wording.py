"""Reports in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from benchmark.metrics import Metric
from benchmark.remarks import Plural
from benchmark.reports import (
    Cell,
    Column,
    Estimate,
    Figure,
    Mean,
    Measures,
    Note,
    Part,
    PartWords,
    RunFigures,
    Spread,
)
from benchmark.reports.dataset import DatasetPart, DatasetStatistics
from benchmark.reports.parts.words import SHARED_WORDS
from benchmark.reports.reporting import Reporting
from benchmark.reports.words import NO_WORDS
from benchmark.suites import first_profile, measures_of, reporting_of, suite_named
from benchmark.suites.base import Option
from webapp.judging.wording import dimension_words
from webapp.pages import pages_of
from webapp.runs.conditions import condition_name, condition_words, conditions_by_key
from webapp.wording.metrics import percent_label
from webapp.wording.numbers import number_words, p_words
from webapp.wording.options import option_name

FIGURE_COLUMNS = ("figure", "other_figure")
"""Columns that hold keys of metrics."""
PROBABILITIES = ("p", "p_holm")
"""Columns that hold probabilities of tests."""
_BIN = re.compile(r"((?:> )?[\d.]+) to < ([\d.]+)")
"""A bin of a histogram, as the report names it."""
_COUNTERPARTS: Mapping[str, Promise] = {
    "Table": gettext_lazy("Table %(one)s"),
    "Tables": gettext_lazy("Tables %(one)s and %(other)s"),
    "Figure": gettext_lazy("Figure %(one)s"),
    "Figures": gettext_lazy("Figures %(one)s and %(other)s"),
}
_COUNTERPART = re.compile(r"(Tables?|Figures?) (\S+)(?: and (\S+))?")
"""A table or figure of a paper, or two, as a part names its counterpart."""


@dataclass(frozen=True)
class Words:
    """What the reports of one benchmark say, or one part: its own words, and those that all have."""

    measures: Measures
    part: Part | DatasetPart | None = None

    def of(self, part: Part | DatasetPart) -> Self:
        """The words of a part."""
        return replace(self, part=part)

    @cached_property
    def sources(self) -> tuple[PartWords, ...]:
        """The words of the part, and those that the parts of the benchmark and of all benchmarks have in common."""
        return (self.part.words if self.part else NO_WORDS, self._declaration.words, SHARED_WORDS)

    @property
    def _declaration(self) -> Reporting | DatasetStatistics:
        """What holds the words that the benchmark's parts have in common."""
        return reporting_of(self.measures.suite)

    @cached_property
    def metrics(self) -> dict[str, Metric]:
        """The metrics, by key."""
        return {metric.key: metric for metric in self.measures.metrics}

    @cached_property
    def means(self) -> dict[str, Mean]:
        """The means of several metrics, by key."""
        return {mean.key: mean for mean in self.measures.means}

    @property
    def options(self) -> Mapping[str, Option]:
        """Those of the benchmark, by their keys among the conditions."""
        return conditions_by_key(self.measures.suite)

    @property
    def counterparts(self) -> str:
        """What `Table 1` beside a heading means; "" where no heading has such a thing."""
        text = self._declaration.counterparts
        return _(text) if text else ""

    @property
    def meanings(self) -> dict[str, str]:
        """What each figure is, with its unit and range, by the key of its column."""
        metrics = [*self.measures.of_tasks, *self.measures.of_whole_runs]
        described = {metric.key: _(metric.meaning or metric.name) for metric in metrics}
        return described | {key: _(mean.meaning) for key, mean in self.means.items() if mean.meaning}

    @staticmethod
    def counterpart(name: str) -> str:
        """What a paper calls the like of a part; what is no table or figure stays as it is: `A.9.1`."""
        match = _COUNTERPART.fullmatch(name)
        return str(_COUNTERPARTS[match[1]]) % {"one": match[2], "other": match[3]} if match else name

    def column(self, key: str) -> str:
        """The head of a column."""
        *own, shared = self.sources
        for words in own:
            if key in words.columns:
                return _(words.columns[key])
        if key in self.means:
            return _(self.means[key].label)
        if key in self.metrics:
            return percent_label(self.metrics[key])
        if key in self.options:
            return option_name(self.options[key])
        return _(shared.columns[key]) if key in shared.columns else key

    def axis(self, key: str, facet: str) -> str:
        """The title of an axis: a quantity with its unit."""
        axes, place = self.sources[0].axes, facet if key == "value" else key
        return _(axes[place]) if place in axes else self.column(key)

    def value(self, key: str, value: str) -> str:
        """A name in a column as it is shown; an unknown one as it is."""
        if key == "dimension":
            return _("average") if value == "all" else dimension_words(value, self.measures.suite)
        if key == "condition":
            return condition_name(value, self.measures.suite)
        for words in self.sources:
            if value in words.values.get(key, {}):
                return _(words.values[key][value])
        if value in (names := pages_of(self.measures.suite).figures.names.get(key, {})):
            return str(names[value])
        if key == "rubric" and value in self.metrics:
            return _(self.metrics[value].name)
        if key in FIGURE_COLUMNS:
            return self._figure(value)
        if bounds := _BIN.fullmatch(value):
            return _("%(low)s to < %(high)s") % {"low": bounds[1], "high": bounds[2]}
        return value

    def _figure(self, key: str) -> str:
        """What a figure is called where it stands alone."""
        if key not in self.metrics:
            return _(self.means[key].label) if key in self.means else key
        metric = self.metrics[key]
        return f"{_(metric.label)}, {_(metric.short or metric.of_runs or metric.name)}"

    def tick(self, key: str, value: str) -> str:
        """A name at an axis, where there is little room: of a metric its label alone."""
        known = self.metrics.get(value) if key in FIGURE_COLUMNS else None
        return self.value(key, value) if known is None else _(known.label)

    def note(self, note: Note) -> str:
        """A note as a sentence."""
        given = {name: _plain(value) for name, value in note.values.items()}
        if note.conditions:
            given["what"] = condition_words(note.conditions, self.measures.suite)
        text = next(words.notes[note.key] for words in self.sources if note.key in words.notes)
        if isinstance(text, Plural):
            return ngettext(text.one, text.other, int(given[text.by])) % given
        return _(text) % given if given else _(text)

    def cell(self, column: Column, cell: Cell) -> tuple[str, str]:
        """A cell as it is shown: its words, and what stands small beside them, "" for nothing."""
        if isinstance(cell, str):
            return self.value(column.key, cell), ""
        if column.key in PROBABILITIES and not isinstance(cell, Estimate | Spread | Figure):
            return p_words(cell), ""
        return _cell_words(column, cell)


class DatasetWords(Words):
    """What the statistics of a benchmark's tasks say."""

    @property
    def _declaration(self) -> DatasetStatistics:
        statistics = suite_named(self.measures.suite).tasks.statistics
        assert statistics is not None
        return statistics()


def dataset_words(suite: str) -> DatasetWords:
    """The words of a benchmark's statistics. Raises UnknownSuite."""
    return DatasetWords(measures_of(suite, first_profile(suite)))


def _plain(value: Cell) -> str | int:
    """Whole numbers stay such: they decide between singular and plural."""
    if isinstance(value, int):
        return value
    return number_words(value, 2) if isinstance(value, float) or value is None else str(value)


_UNKNOWN_WORDS: Mapping[str, Promise] = {
    "run": gettext_lazy("There is no run %(name)s."),
    "profile": gettext_lazy("There is no profile %(name)s."),
    "judge": gettext_lazy("No session of these runs has a judgement of %(name)s."),
}


def unknown_words(what: str, name: str) -> str:
    """That there is no such run or profile, or no verdict of such a judge."""
    return str(_UNKNOWN_WORDS[what]) % {"name": name}


def too_many_words(names: Sequence[str], most: int) -> str:
    """Which runs had no room."""
    given = {"most": most, "names": ", ".join(names)}
    return _("A report can have at most %(most)s runs; left out: %(names)s.") % given


def other_benchmark_words(names: Sequence[str]) -> str:
    """Which runs are left out, since a report is of one benchmark."""
    return _("A report covers runs of one benchmark; left out: %(names)s.") % {"names": ", ".join(names)}


def no_matplotlib_words() -> str:
    """Why charts are no files, and what helps."""
    return _("Figures as SVG, PNG and PDF need matplotlib, which is not installed here: %(command)s") % {
        "command": ".venv/bin/python -m pip install -r requirements-figures.txt"
    }


def sessions_words(run: RunFigures) -> str:
    """How many of its sessions count, and how far it is: `5 sessions counted, 6 of 6 ended`."""
    counted = ngettext("%(n)s session counted", "%(n)s sessions counted", len(run.sessions)) % {
        "n": len(run.sessions)
    }
    return _("%(counted)s, %(ended)s of %(planned)s ended") % {
        "counted": counted,
        "ended": run.ended,
        "planned": run.planned,
    }


def _cell_words(column: Column, cell: int | float | Estimate | Spread | Figure | None) -> tuple[str, str]:
    match cell:
        case Estimate():
            return number_words(cell.value, column.places, signed=column.signed), _interval(column, cell)
        case Spread():
            return _spread(column, cell), ""
        case Figure():
            return number_words(cell.value, cell.places), _coverage(cell)
        case int():
            return number_words(cell, 0), ""
    return number_words(cell, column.places, signed=column.signed), ""


def _coverage(cell: Figure) -> str:
    """Of how many it is the mean, where some have no figure."""
    if not cell.of or cell.n == cell.of:
        return ""
    return _("%(n)s of %(of)s") % {"n": number_words(cell.n, 0), "of": number_words(cell.of, 0)}


def _interval(column: Column, cell: Estimate) -> str:
    if cell.low is None or cell.high is None:
        return ""
    low, high = (number_words(end, column.places, signed=column.signed) for end in (cell.low, cell.high))
    return _("%(low)s to %(high)s") % {"low": low, "high": high}


def _spread(column: Column, cell: Spread) -> str:
    mean, std = (number_words(value, column.places) for value in (cell.mean, cell.std))
    return mean if cell.std is None else f"{mean} ± {std}"
