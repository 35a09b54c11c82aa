"""Metrics: what a figure is called, how it reads, and how the values of trials, tasks and runs are put together."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import orjson

from benchmark.core.sheets import UNCOUNTED
from benchmark.core.tool_use import ToolUse
from benchmark.remarks import gettext_noop as gettext_noop

# The declaration of a metric. A suite lists its own; pages, reports, files and commands iterate over them.


Figures = Mapping[str, Any]
"""What scoring gives of a session (`benchmark.core.sheets.Sheet`): values by key, and what stands beside them."""
Values = Mapping[str, float | None]
"""A score: a value by the key of its metric, None or absent where there is none."""
TrialRule = Callable[[Sequence[float | None]], float | None]
"""Gives the value of a task from those of its trials; None if the task does not count."""


class Mean(NamedTuple):
    """A figure of a run. n, of: how many of its tasks (trials, where it pools them) count, and how many there are."""

    value: float | None
    n: int
    of: int

    @property
    def is_of_some(self) -> bool:
        """Whether it leaves tasks or trials out, as they have no value."""
        return 0 < self.n < self.of


def known_mean(values: Sequence[float | None]) -> float | None:
    """The mean of the known values; None if none is known, so that the task does not count."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


@dataclass(frozen=True, slots=True)
class Averaging:
    """How the values of sessions become the figure of a run."""

    name: str
    trials: TrialRule
    """Of a task's trials; the mean of the tasks that count follows."""
    pooled: bool = False
    """The trials of all tasks are averaged together, so that a task with more known trials weighs more."""

    def mean_over_tasks(self, tasks: Iterable[Sequence[float | None]]) -> Mean:
        """The mean over tasks, from the values of each one's trials; None where nothing counts."""
        if self.pooled:
            values = [value for trials in tasks for value in trials]
            return Mean(self.trials(values), sum(value is not None for value in values), len(values))
        means = [self.trials(trials) for trials in tasks]
        known = [mean for mean in means if mean is not None]
        return Mean(fmean(known) if known else None, len(known), len(means))


BY_TASK = Averaging("by task", known_mean)
"""Each task weighs the same, as the mean of its known trials."""
POOLED_TRIALS = Averaging("pooled", known_mean, pooled=True)
PERCENT = ("share", "flag")


Facets = Mapping[str, object]
"""What the fields of a task say of it, by their keys: those by which tasks are grouped."""
LEVEL = "difficulty"
"""The key of the field that says how hard a task is, in every benchmark that has one."""
NO_FACETS: Facets = MappingProxyType({})


class Group(NamedTuple):
    """Metrics that belong together, such as the dimensions of a paper. label: an English message id."""

    key: str
    label: str


class Trial(NamedTuple):
    """What one session of a run counted for. values: those of its score, its rater and its use of tools."""

    task: str
    values: Values
    facets: Facets = NO_FACETS


RunRule = Callable[[Sequence[Trial], Averaging], float | None]
"""Gives the value of a run from its sessions, as the scoring profile averages trials."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One figure of a suite. Its words are English message ids, which the web application translates.

    label: the head of a column, without a unit. name: what the value of a session is; of_runs: what the mean of a run
    is, where that is called otherwise; short: the same beside its label, in lists of metrics.
    help: one line for the panel of scores; meaning: a full sentence for reports.
    group: the key of the group that it is shown in (`Scoring.groups`), "" for none.

    unit: a share of 1 (shown in per cent), a flag (valid or not; its mean is a share of 1), a count, or a number.
    digits: decimals that are shown, of per cent where the unit is a share or a flag.
    source: the rules of the suite, or a rater (a judge or a person), whose name a stored value carries.

    read: the value of a session from the figures that the suite's scoring gives it; by default those at `key`.
    averaging: of sessions to a run's figure; None: as the scoring profile says.
    scope: `turn` where each turn of a session has a value too; that of the session is its last turn's.
    of_run: for the scope `run`, the value of a run from its sessions, where no session alone has one (pass^k).
    made_of: the keys of the metrics of sessions that `of_run` reads, so that runs are ranked by it only where all
    their sessions have these.
    better: whether more or less of it is better; neither, where it only describes.
    headline: comes first where runs stand side by side.
    partial: only some tasks have it, so the page of a session leaves it out where there is none.
    evidence: the parts of a score's evidence that stand behind it, by their keys; `rows.str` is `str` in `rows`.
    met_words, missed_words: the words for a flag of a session; without `missed_words` it says how far the flag is
    missed. detail_of: the key of the metric that this one says more of: how far a flag is missed, in the flag's own
    cell, or what another figure would be otherwise. It has a column only in files of sessions, and in report parts
    that name it.
    """

    key: str
    label: str
    name: str
    of_runs: str = ""
    short: str = ""
    help: str = ""
    meaning: str = ""
    group: str = ""
    unit: Literal["number", "count", "share", "flag"] = "number"
    better: Literal["high", "low", "neither"] = "high"
    digits: int = 2
    scope: Literal["session", "run", "turn"] = "session"
    source: Literal["rules", "rater"] = "rules"
    read: Callable[[Figures], float | None] | None = None
    averaging: Averaging | None = None
    of_run: RunRule | None = None
    made_of: tuple[str, ...] = ()
    headline: bool = False
    detail_of: str = ""
    partial: bool = False
    met_words: str = gettext_noop("valid")
    missed_words: str = ""
    evidence: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if (self.scope == "run") != (self.of_run is not None):
            raise ValueError(f"metric {self.key}: scope `run` and the rule `of_run` belong together")
        if self.made_of and self.of_run is None:
            raise ValueError(f"metric {self.key}: `made_of` is of metrics with the rule `of_run`")

    @property
    def in_percent(self) -> bool:
        """Whether its mean is a share of 1, which is shown in per cent."""
        return self.unit in PERCENT

    @property
    def scale(self) -> float:
        """What a mean is multiplied by where it is shown."""
        return 100.0 if self.in_percent else 1.0

    def value(self, figures: Figures) -> float | None:
        """The value of a session from its figures."""
        figure = self.read(figures) if self.read is not None else figures.get(self.key)
        return None if figure is None else float(figure)

    def plain(self, value: float | None) -> float | bool | int | None:
        """A stored value as files show it: a flag as true or false, a count as a whole number."""
        if value is None:
            return None
        if self.unit == "flag":
            return bool(value)
        return int(value) if self.unit == "count" else value


def of_rules(metrics: Iterable[Metric]) -> list[Metric]:
    """The metrics whose value the rules give to each session."""
    return [metric for metric in metrics if metric.scope != "run" and metric.source == "rules"]


def of_turns(metrics: Iterable[Metric]) -> list[Metric]:
    """The metrics of which each turn has a value."""
    return [metric for metric in metrics if metric.scope == "turn"]


def column_metrics(metrics: Iterable[Metric]) -> list[Metric]:
    """The metrics of the rules that have their own column in each table of sessions."""
    return [metric for metric in of_rules(metrics) if not metric.detail_of]


def summary_metrics(metrics: Iterable[Metric]) -> list[Metric]:
    """Of groups the headlines alone: what is shown where all would be too many."""
    return [metric for metric in metrics if metric.headline or not metric.group]


def of_runs(metrics: Iterable[Metric]) -> list[Metric]:
    """The metrics of which a run has a value, in the order in which a suite declares them."""
    return [metric for metric in metrics if not metric.detail_of]


def side_by_side(metrics: Iterable[Metric]) -> list[Metric]:
    """The metrics of which a run has a value, with the headline first, for comparisons of runs."""
    return sorted(of_runs(metrics), key=lambda metric: not metric.headline)


def values_of(metrics: Iterable[Metric], figures: Figures) -> dict[str, float]:
    """The values of a scored session, by key, without those that it lacks or that do not count."""
    uncounted = figures.get(UNCOUNTED, ())
    counted = (metric for metric in of_rules(metrics) if metric.key not in uncounted)
    values = ((metric.key, metric.value(figures)) for metric in counted)
    return {key: value for key, value in values if value is not None}


# Averages the values of trials to those of tasks, and these to the figures of a run.


PLACES = 6
"""To which means over a whole run are rounded."""


def run_values(
    metrics: Iterable[Metric], trials: Sequence[Trial], by_profile: Averaging, places: int
) -> dict[str, float | None]:
    """The figure of each metric over the sessions of a run, by key.

    by_profile: how the scoring profile averages. Means of rule metrics are rounded to `places`,
    those of raters and the figures of a run's own rules are not.
    """
    return {key: mean.value for key, mean in run_means(metrics, trials, by_profile, places).items()}


def run_means(
    metrics: Iterable[Metric], trials: Sequence[Trial], by_profile: Averaging, places: int
) -> dict[str, Mean]:
    """As `run_values`, with how many tasks or trials each figure is of; 0 of 0 for those of a run's own rules."""
    tasks = _by_task(trials)
    return {metric.key: _mean(metric, trials, tasks, by_profile, places) for metric in metrics}


def aggregate(
    scores: Iterable[Figures], metrics: Iterable[Metric], averaging: Averaging, places: int
) -> dict[str, float | None]:
    """Each listed metric over sessions, from their figures; as `run_values`."""
    wanted = column_metrics(metrics)
    trials = [Trial(str(score.get("task_id")), values_of(wanted, score)) for score in scores]
    return run_values(wanted, trials, averaging, places)


def _by_task(trials: Iterable[Trial]) -> Mapping[str, list[Trial]]:
    tasks: dict[str, list[Trial]] = {}
    for trial in trials:
        tasks.setdefault(trial.task, []).append(trial)
    return tasks


def _mean(
    metric: Metric,
    trials: Sequence[Trial],
    tasks: Mapping[str, list[Trial]],
    by_profile: Averaging,
    places: int,
) -> Mean:
    if metric.of_run is not None:
        return Mean(metric.of_run(trials, by_profile), 0, 0)
    values = ([trial.values.get(metric.key) for trial in own] for own in tasks.values())
    mean = (metric.averaging or by_profile).mean_over_tasks(values)
    if mean.value is None or metric.source == "rater":
        return mean
    return mean._replace(value=round(mean.value, places))


# One line that two pieces of evidence share exactly when they say the same.


def evidence_digest(evidence: object) -> str:
    """SHA-256, in hexadecimal, of the evidence as JSON with sorted keys; the order of lists counts."""
    try:
        text = orjson.dumps(evidence, option=orjson.OPT_SORT_KEYS)
    except (TypeError, ValueError):  # lone surrogates and huge integers
        text = json.dumps(evidence, sort_keys=True).encode()
    return hashlib.sha256(text).hexdigest()


# The metrics of runs that every suite has: how many sessions gave plans, and how they used tools.


def session_values(*, planned: bool, use: ToolUse) -> Values:
    """What SHARED needs to know of a session. use: of all its tools."""
    return {
        "planned": float(planned),
        "calls": use.calls,
        "hits": use.hits,
        "answered": use.hits + use.misses,
        "simulated": use.simulated,
        "errors": use.error_count,
    }


def share(part: str, whole: str = "") -> RunRule:
    """The sum of one value over the sum of another; without `whole`, over the number of sessions."""

    def rule(trials: Sequence[Trial], by_profile: Averaging) -> float | None:
        below = _sum(trials, whole) if whole else len(trials)
        return _sum(trials, part) / below if below else None

    return rule


def _sum(trials: Sequence[Trial], key: str) -> float:
    return sum([trial.values.get(key) or 0 for trial in trials])


SHARED_METRICS = (
    Metric(
        key="plans",
        label=gettext_noop("plans"),
        name=gettext_noop("share of sessions with a plan"),
        unit="share",
        digits=1,
        scope="run",
        of_run=share("planned"),
    ),
    Metric(
        key="hit_rate",
        label=gettext_noop("hits"),
        name=gettext_noop("share of answered tool calls that the cache knew"),
        unit="share",
        digits=1,
        scope="run",
        of_run=share("hits", "answered"),
    ),
    Metric(
        key="calls",
        label=gettext_noop("calls"),
        name=gettext_noop("tool calls per session"),
        better="neither",
        scope="run",
        of_run=share("calls"),
    ),
    Metric(
        key="simulated",
        label=gettext_noop("simulated"),
        name=gettext_noop("share of answered tool calls that were simulated"),
        unit="share",
        better="low",
        digits=1,
        scope="run",
        of_run=share("simulated", "answered"),
    ),
    Metric(
        key="errors",
        label=gettext_noop("errors"),
        name=gettext_noop("tool errors per session"),
        better="low",
        scope="run",
        of_run=share("errors"),
    ),
)
OF_CACHES = ("hit_rate", "simulated")
"""The metrics that have a meaning only where a cache answers."""
RESERVED_KEYS = frozenset(
    {"counted", *session_values(planned=False, use=ToolUse()), *(metric.key for metric in SHARED_METRICS)}
)
"""Keys that no metric of a suite can have: its values stand beside the figures of these names."""
