"""The declaration of a metric. A suite lists its own; pages, reports, files and commands iterate over them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

Values = Mapping[str, float | None]
"""A score: a value by the key of its metric, None or absent where there is none."""
TrialRule = Callable[[Sequence[float | None]], float | None]
"""Gives the value of a task from those of its trials; None if the task does not count."""
PERCENT = ("share", "flag")


class Trial(NamedTuple):
    """What one session of a run counted for. values: those of its score, its rater and its use of tools."""

    task: str
    values: Values


RunRule = Callable[[Sequence[Trial]], float | None]


def gettext_noop(message: str) -> str:
    """Mark a text for the catalogues of translations; whoever shows it translates it."""
    return message


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One figure of a suite. Its words are English message ids, which the web application translates.

    label: the head of a column, without a unit. name: what the value of a session is; of_runs: what the mean of a run
    is, where that is called otherwise; short: the same beside its label, in lists of metrics.
    help: one line for the panel of scores; meaning: a full sentence for reports.

    unit: a share of 1 (shown in per cent), a flag (valid or not; its mean is a share of 1), a count, or a number.
    digits: decimals that are shown, of per cent where the unit is a share or a flag.
    source: the rules of the suite, or a rater (a judge or a person), whose name a stored value carries.

    read: the value of a session from the figures that the suite's scoring gives it; by default those at `key`.
    trials: how the trials of a task are averaged; None: as the scoring profile says. The tasks' mean follows.
    of_run: for the scope `run`, the value of a run from its sessions, where no session alone has one (pass^k).
    headline: comes first where runs stand side by side.
    detail_of: the key of a flag; this metric says how far it is missed, in the flag's own cell. It has a column only
    in files of sessions.
    """

    key: str
    label: str
    name: str
    of_runs: str = ""
    short: str = ""
    help: str = ""
    meaning: str = ""
    unit: Literal["number", "count", "share", "flag"] = "number"
    better: Literal["high", "low"] = "high"
    digits: int = 2
    scope: Literal["session", "run"] = "session"
    source: Literal["rules", "rater"] = "rules"
    read: Callable[[Mapping[str, Any]], float | None] | None = None
    trials: TrialRule | None = None
    of_run: RunRule | None = None
    headline: bool = False
    detail_of: str = ""

    def __post_init__(self) -> None:
        if (self.scope == "run") != (self.of_run is not None):
            raise ValueError(f"metric {self.key}: scope `run` and the rule `of_run` belong together")

    @property
    def in_percent(self) -> bool:
        """Whether its mean is a share of 1, which is shown in per cent."""
        return self.unit in PERCENT

    @property
    def scale(self) -> float:
        """What a mean is multiplied by where it is shown."""
        return 100.0 if self.in_percent else 1.0

    def value(self, figures: Mapping[str, Any]) -> float | None:
        """The value of a session from its figures."""
        found = self.read(figures) if self.read is not None else figures.get(self.key)
        return None if found is None else float(found)

    def plain(self, value: float | None) -> float | bool | int | None:
        """A stored value as files show it: a flag as true or false, a count as a whole number."""
        if value is None:
            return None
        if self.unit == "flag":
            return bool(value)
        return int(value) if self.unit == "count" else value


def of_rules(metrics: Iterable[Metric]) -> list[Metric]:
    """The metrics whose value the rules give to each session."""
    return [metric for metric in metrics if metric.scope == "session" and metric.source == "rules"]


def listed(metrics: Iterable[Metric]) -> list[Metric]:
    """The metrics of the rules that have their own column in each table of sessions."""
    return [metric for metric in of_rules(metrics) if not metric.detail_of]


def of_runs(metrics: Iterable[Metric]) -> list[Metric]:
    """The metrics of which a run has a value, in the order in which a suite declares them."""
    return [metric for metric in metrics if not metric.detail_of]


def side_by_side(metrics: Iterable[Metric]) -> list[Metric]:
    """The metrics of which a run has a value, with the headline first, for comparisons of runs."""
    return sorted(of_runs(metrics), key=lambda metric: not metric.headline)


def values_of(metrics: Iterable[Metric], figures: Mapping[str, Any]) -> dict[str, float]:
    """The values of a scored session, by key, without those that it lacks."""
    found = ((metric.key, metric.value(figures)) for metric in of_rules(metrics))
    return {key: value for key, value in found if value is not None}
