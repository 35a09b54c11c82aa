"""Reports in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from benchmark.metrics import Metric
from benchmark.remarks import Plural
from benchmark.reports import (
    Cell,
    Column,
    Estimate,
    Figure,
    Measures,
    Note,
    Part,
    PartWords,
    RunFigures,
    Spread,
)
from benchmark.reports.dataset import DatasetPart
from benchmark.reports.words import NO_WORDS
from benchmark.suites import first_profile, measures_of, reporting_of, suite_named
from benchmark.suites.base import Option
from webapp.judging.wording import dimension_words
from webapp.pages import ReportWords, pages_of
from webapp.reports.colours import colour_of
from webapp.runs.conditions import condition_name, condition_words, conditions_by_key
from webapp.wording.metrics import percent_label
from webapp.wording.numbers import number_words, p_words
from webapp.wording.options import option_name

TITLES: Mapping[str, tuple[Promise, Promise]] = {
    "conditions": (
        gettext_lazy("What was run"),
        gettext_lazy(
            "As the runs were set up, and as their logs show it. A model without a named temperature "
            "uses that of its role. Costs and tokens are those of all models in all sessions. “?” "
            "counts requests of which that is not known."
        ),
    ),
    "runs": (
        gettext_lazy("Runs"),
        gettext_lazy(
            "How far each run is. The report counts sessions that finished or crashed and have "
            "scores. A session that was stopped says nothing about the agent."
        ),
    ),
    "main_results": (
        gettext_lazy("Main results"),
        gettext_lazy("Means over tasks. The notes below the table explain the figures."),
    ),
    "differences": (
        gettext_lazy("Differences to the first run"),
        gettext_lazy("Over the tasks that both runs have, task by task."),
    ),
    "stability": (
        gettext_lazy("Stability over trials"),
        gettext_lazy(
            "Mean ± standard deviation of the figures of single trials, over the tasks that all runs have."
        ),
    ),
    "completion": (gettext_lazy("How sessions ended"), gettext_lazy("Percentage of a run's sessions.")),
    "tool_calls": (
        gettext_lazy("Tool calls per task"),
        gettext_lazy("Percentage of tasks by their mean number of tool calls over trials."),
    ),
    "judges": (
        gettext_lazy("Who judged"),
        gettext_lazy(
            "One pair of judge and meta-judge counts. Another model, another input or other prompts "
            "make another pair."
        ),
    ),
    "judge_dimensions": (
        gettext_lazy("The judge's score by dimension"),
        gettext_lazy(
            "0 to 100, calibrated by the meta-judge if there is one. Bars are 95 % intervals over "
            "tasks; a single task has none."
        ),
    ),
    "judge_ratings": (
        gettext_lazy("How the judge rated"),
        gettext_lazy("Percentage of judgements with each rating of 1 to 5."),
    ),
    "meta_judge": (
        gettext_lazy("How the meta-judge calibrated"),
        gettext_lazy("Judgements by their calibration score of 1 to 5."),
    ),
    "judge_and_people": (
        gettext_lazy("The judge and human annotators"),
        gettext_lazy("Mean absolute errors of ratings of 1 to 5."),
    ),
}
"""By the name of the part: its heading, and what it shows."""

_COLUMNS: Mapping[str, Promise] = {
    "run": gettext_lazy("run"),
    "against": gettext_lazy("compared with"),
    "difficulty": gettext_lazy("difficulty"),
    "tasks": gettext_lazy("tasks"),
    "judged": gettext_lazy("tasks judged"),
    "name": gettext_lazy("name"),
    "id": gettext_lazy("id"),
    "ended": gettext_lazy("sessions ended"),
    "planned": gettext_lazy("sessions in all"),
    "counted": gettext_lazy("sessions counted here"),
    "judged_sessions": gettext_lazy("sessions judged"),
    "sessions": gettext_lazy("sessions"),
    "figure": gettext_lazy("figure"),
    "difference": gettext_lazy("difference"),
    "effect": gettext_lazy("effect (d)"),
    "wins": gettext_lazy("better on % of tasks"),
    "p": gettext_lazy("p"),
    "value": gettext_lazy("value"),
    "trials": gettext_lazy("trials"),
    "calls": gettext_lazy("tool calls"),
    "reason": gettext_lazy("ended"),
    "share": gettext_lazy("%"),
    "bin": gettext_lazy("per task"),
    "dimension": gettext_lazy("dimension"),
    "score": gettext_lazy("score"),
    "rating": gettext_lazy("rating"),
    "rubric": gettext_lazy("rubric"),
    "verdicts": gettext_lazy("judgements"),
    "judge_human": gettext_lazy("judge from human"),
    "human_human": gettext_lazy("human from median"),
    "judge_name": gettext_lazy("judge"),
    "judge_model": gettext_lazy("its model"),
    "meta_name": gettext_lazy("meta-judge"),
    "meta_model": gettext_lazy("its model"),
    "own_tasks": gettext_lazy("tasks"),
    "shared_tasks": gettext_lazy("tasks shared by all"),
    "judge_input": gettext_lazy("shown to the judge"),
    "prompts": gettext_lazy("prompts"),
    "in_figures": gettext_lazy("used in the figures"),
    "condition": gettext_lazy("condition"),
    "alike": gettext_lazy("same in all runs"),
}

_AXES: Mapping[tuple[str, str], Promise] = {
    ("completion", "share"): gettext_lazy("% of sessions"),
    ("tool_calls", "bin"): gettext_lazy("tool calls per task"),
    ("tool_calls", "share"): gettext_lazy("% of tasks"),
    ("judge_dimensions", "score"): gettext_lazy("score, 0 to 100"),
    ("judge_ratings", "share"): gettext_lazy("% of judgements"),
}
"""Titles of axes, by part and column; of a column with all figures, by part and figure."""

_REASONS: Mapping[str, Promise] = {
    "multiple_repeated_tool_calls": gettext_lazy("same call three times"),
    "consecutive_repeated_tool_calls": gettext_lazy("tool calls repeated in two consecutive turns"),
    "context_overflow": gettext_lazy("context full"),
    "connection_error": gettext_lazy("model unreachable"),
    "rate_limit": gettext_lazy("rate limit"),
    "runtime_error": gettext_lazy("error"),
}
_ANSWERS: Mapping[str, Promise] = {"yes": gettext_lazy("yes"), "no": gettext_lazy("no")}
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
_VALUES: Mapping[str, Mapping[str, Promise]] = {
    "reason": _REASONS,
    "difficulty": {"all": gettext_lazy("all")},
    "in_figures": _ANSWERS,
    "alike": _ANSWERS,
}

_NOTES: Mapping[str, Promise] = {
    "intervals": gettext_lazy(
        "Small: the 95 % interval of a bootstrap over tasks. Over fewer than ten tasks it is too narrow."
    ),
    "no_judge": gettext_lazy("No judge has rated these sessions, so figures that need a judge are empty."),
    "not_calibrated": gettext_lazy(
        "%(judge)s has rated, but %(meta)s has calibrated nothing, so there is no score."
    ),
    "judged_by": gettext_lazy(
        "Judged by %(judge)s, calibrated by %(meta)s. Several judgements of a session count as their "
        "mean, also across batches. Sessions without a judgement count as not judged."
    ),
    "judged": ngettext_lazy(
        "%(run)s: %(n)s of %(sessions)s session judged.",
        "%(run)s: %(n)s of %(sessions)s sessions judged.",
        "sessions",
    ),
    "judged_alone": gettext_lazy(
        "Not every session was judged: the judge's figures cover the judged sessions only."
    ),
    "other_judges": ngettext_lazy(
        "%(judge)s with %(meta)s has judged %(n)s session too, which does not count here.",
        "%(judge)s with %(meta)s has judged %(n)s sessions too, which does not count here.",
        "n",
    ),
    "prompts": gettext_lazy("Their prompts have the version %(prompts)s."),
    "other_prompts": ngettext_lazy(
        "%(judge)s with %(meta)s and prompts %(prompts)s has judged %(n)s session too, which does not count here.",
        "%(judge)s with %(meta)s and prompts %(prompts)s has judged %(n)s sessions too, which does not count here.",
        "n",
    ),
    "shared": ngettext_lazy(
        "Over the %(n)s task that all these runs have.", "Over the %(n)s tasks that all these runs have.", "n"
    ),
    "left_out": ngettext_lazy(
        "Left out: %(n)s task of %(run)s that the other runs do not all have.",
        "Left out: %(n)s tasks of %(run)s that the other runs do not all have.",
        "n",
    ),
    "nothing_shared": gettext_lazy(
        "These runs have no task in common, so they can't be compared. Make a report of each run alone."
    ),
    "no_conditions": gettext_lazy("These runs do not say how they were set up."),
    "going": gettext_lazy("%(run)s is still running: its figures will change."),
    "no_sessions": gettext_lazy("No session of these runs has ended and been scored."),
    "mean_of_shares": gettext_lazy(
        "All runs: the mean of the runs' percentages, whatever their numbers of tasks."
    ),
    "pooled": gettext_lazy("All runs: the judgements of all runs together."),
    "over_trials": gettext_lazy("Standard deviations with n − 1, n being the number of trials."),
    "unfinished_trials": ngettext_lazy(
        "%(run)s: %(n)s task is left out, since a trial of it has not ended or has no scores.",
        "%(run)s: %(n)s tasks are left out, since a trial of them has not ended or has no scores.",
        "n",
    ),
    "unlike_conditions": gettext_lazy(
        "These runs differ in %(what)s, so a difference between figures may not be due to the agent."
    ),
    "unlike": gettext_lazy(
        "%(run)s was run under other conditions than %(against)s (%(what)s), so its differences are "
        "shown without intervals and tests."
    ),
    "one_run": gettext_lazy("A report of two or more runs compares them here."),
    "no_pairs": gettext_lazy("These runs have no task in common."),
    "paired": gettext_lazy(
        "Over the tasks that both have: the mean difference with its 95 %% interval, bootstrapped (%(times)s "
        "resamples), and p of a permutation test. d: the mean difference in standard deviations of the differences."
    ),
    "one_trial": gettext_lazy("A run needs at least two trials of its tasks."),
    "mean_of": ngettext_lazy(
        "%(run)s: mean %(mean)s, standard deviation (n − 1) %(std)s, over %(n)s task.",
        "%(run)s: mean %(mean)s, standard deviation (n − 1) %(std)s, over %(n)s tasks.",
        "n",
    ),
    "labels_unknown": ngettext_lazy(
        "People rated %(n)s session (%(names)s) that this report does not count: it is not a "
        "finished or crashed session of its runs with scores.",
        "People rated %(n)s sessions (%(names)s) that this report does not count: they are not "
        "finished or crashed sessions of its runs with scores.",
        "n",
    ),
    "labels_unjudged": ngettext_lazy(
        "People rated %(n)s session (%(names)s) that has no judgement to compare with.",
        "People rated %(n)s sessions (%(names)s) that have no judgement to compare with.",
        "n",
    ),
    "labels_of_studies": ngettext_lazy(
        "People's ratings come from this study: %(names)s.",
        "People's ratings come from these %(n)s studies: %(names)s.",
        "n",
    ),
    "labels_of_file": ngettext_lazy(
        "People's ratings come from the given file; those of this study are left out: %(names)s.",
        "People's ratings come from the given file; those of these %(n)s studies are left out: %(names)s.",
        "n",
    ),
    "no_labels": gettext_lazy(
        "There are no human ratings. They come from studies under Labelling in which people rate "
        "sessions of these runs by the judge's rubric, or from a file that the command report reads: "
        "--labels FILE, one JSON object per line with session, dimension, score (1 to 5) and "
        "annotator."
    ),
}


FIGURE_COLUMNS = ("figure", "other_figure")
"""Columns that hold keys of metrics."""


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
        """The words of the part, then those that the benchmark's parts have in common."""
        return (*([self.part.words] if self.part else []), self._common_words)

    @property
    def _common_words(self) -> PartWords:
        return reporting_of(self.measures.suite).words

    @cached_property
    def own(self) -> ReportWords:
        """The benchmark's own."""
        return pages_of(self.measures.suite).figures.report

    @cached_property
    def metrics(self) -> dict[str, Metric]:
        """The metrics, by key."""
        return {metric.key: metric for metric in self.measures.metrics}

    @property
    def options(self) -> Mapping[str, Option]:
        """Those of the benchmark, by their keys among the conditions."""
        return conditions_by_key(self.measures.suite)

    @property
    def counterparts(self) -> str:
        """What `Table 1` beside a heading means; "" where no heading has such a thing."""
        text = reporting_of(self.measures.suite).counterparts
        return _(text) if text else str(self.own.counterparts)

    @property
    def meanings(self) -> dict[str, str]:
        """What each figure is, with its unit and range, by the key of its column."""
        metrics = [*self.measures.of_tasks, *self.measures.of_whole_runs]
        described = {metric.key: _(metric.meaning or metric.name) for metric in metrics}
        return described | {key: str(meaning) for key, meaning in self.own.means.items()}

    @staticmethod
    def counterpart(name: str) -> str:
        """What a paper calls the like of a part; what is no table or figure stays as it is: `A.9.1`."""
        match = _COUNTERPART.fullmatch(name)
        return str(_COUNTERPARTS[match[1]]) % {"one": match[2], "other": match[3]} if match else name

    def title(self, part: str) -> str:
        """The heading of a part."""
        if self.part and self.part.words.title:
            return _(self.part.words.title)
        return str((self.own.titles.get(part) or TITLES[part])[0])

    def about(self, part: str) -> str:
        """What a part shows."""
        if self.part and self.part.words.about:
            return _(self.part.words.about)
        return str((self.own.titles.get(part) or TITLES[part])[1])

    def column(self, key: str) -> str:
        """The head of a column."""
        for words in self.sources:
            if key in words.columns:
                return _(words.columns[key])
        if key in self.own.columns:
            return str(self.own.columns[key])
        if key in self.metrics:
            return percent_label(self.metrics[key])
        if key in self.options:
            return option_name(self.options[key])
        return str(_COLUMNS.get(key, key))

    def axis(self, part: str, key: str, facet: str) -> str:
        """The title of an axis: a quantity with its unit."""
        place = part, facet if key == "value" else key
        for words in self.sources:
            if place[1] in words.axes:
                return _(words.axes[place[1]])
        return str(self.own.axes.get(place) or _AXES.get(place) or self.column(key))

    def value(self, key: str, value: str) -> str:
        """A name in a column as it is shown; an unknown one as it is."""
        if key == "run" and value == "":
            return _("all runs")
        if key == "dimension":
            return _("average") if value == "all" else dimension_words(value, self.measures.suite)
        if key == "condition":
            return condition_name(value, self.measures.suite)
        for words in self.sources:
            if value in words.values.get(key, {}):
                return _(words.values[key][value])
        for known in (self.own.values, _VALUES):
            if value in known.get(key, {}):
                return str(known[key][value])
        if key == "rubric" and value in self.metrics:
            return _(self.metrics[value].name)
        if key in FIGURE_COLUMNS and value in self.metrics:
            metric = self.metrics[value]
            return f"{_(metric.label)}, {_(metric.short or metric.of_runs or metric.name)}"
        if bounds := _BIN.fullmatch(value):
            return _("%(low)s to < %(high)s") % {"low": bounds[1], "high": bounds[2]}
        return value

    def tick(self, key: str, value: str) -> str:
        """A name at an axis, where there is little room: of a metric its label alone."""
        known = self.metrics.get(value) if key in FIGURE_COLUMNS else None
        return self.value(key, value) if known is None else _(known.label)

    def colour(self, column: str, value: str, runs: Sequence[str]) -> str:
        """The colour of a name that a chart tells apart, as a CSS variable; runs: all of them, in their order."""
        known = self.own.colours.get(column, {}).get(value)
        return known or colour_of(column, value, runs, self.measures.endings)

    def note(self, note: Note) -> str:
        """A note as a sentence."""
        given = {name: _plain(value) for name, value in note.values.items()}
        if note.conditions:
            given["what"] = condition_words(note.conditions, self.measures.suite)
        for words in self.sources:
            if note.key in words.notes:
                return _sentence(words.notes[note.key], given)
        sentence: Any = self.own.notes.get(note.key) or _NOTES[note.key]
        return str(sentence % given if given else sentence)

    def cell(self, column: Column, cell: Cell) -> tuple[str, str]:
        """A cell as it is shown: its words, and what stands small beside them, "" for nothing."""
        if isinstance(cell, str):
            return self.value(column.key, cell), ""
        if column.key == "p" and not isinstance(cell, Estimate | Spread | Figure):
            return p_words(cell), ""
        return _cell_words(column, cell)


class DatasetWords(Words):
    """What the statistics of a benchmark's tasks say."""

    @property
    def _common_words(self) -> PartWords:
        statistics = suite_named(self.measures.suite).tasks.statistics
        return statistics().words if statistics else NO_WORDS

    @cached_property
    def own(self) -> ReportWords:
        """The benchmark's own."""
        return pages_of(self.measures.suite).figures.statistics


def dataset_words(suite: str) -> DatasetWords:
    """The words of a benchmark's statistics. Raises UnknownSuite."""
    return DatasetWords(measures_of(suite, first_profile(suite)))


def _sentence(text: str | Plural, given: Mapping[str, str | int]) -> str:
    """A sentence, filled where there is something to fill it with."""
    if isinstance(text, Plural):
        return ngettext(text.one, text.other, int(given[text.by])) % given
    return _(text) % given if given else _(text)


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
