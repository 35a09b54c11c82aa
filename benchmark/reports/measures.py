"""What the figures of a report are: the metrics of a benchmark under one of its profiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from benchmark.judging import Dimension, Rubric
from benchmark.metrics import Averaging, Metric, of_runs, side_by_side

COUNTS = ("counted", "calls")
"""The counts of a session that are averaged over a task's trials as well."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A figure that is the mean of several metrics, each from 0 to 100.

    of: their keys. With a rater's among them it is over the trials that were rated, so that all are of the same
    trials; without, it is the mean of their means. label: the head of its column. meaning:
    what it is, with its range.
    """

    key: str
    of: tuple[str, ...]
    digits: int = 1
    label: str = ""
    meaning: str = ""


@dataclass(frozen=True)
class Measures:
    """How a benchmark measures the sessions of a report.

    suite: its name. averaging: the profile's. rubrics: of its judges. levels: its
    difficulties, the easiest first. endings: the reasons for an end that come first where all are shown.
    """

    suite: str
    code_version: str
    profile: str
    averaging: Averaging
    metrics: Sequence[Metric]
    rubrics: Sequence[Rubric] = ()
    means: Sequence[Mean] = ()
    levels: Sequence[str] = ()
    endings: Sequence[str] = ()

    @cached_property
    def judge_metrics(self) -> Mapping[str, Rubric]:
        """The rubrics by the key of the metric that judges give values of by each."""
        return {rubric.metric: rubric for rubric in self.rubrics}

    @property
    def dimensions(self) -> list[Dimension]:
        """What judges rate, rubric by rubric."""
        return [dimension for rubric in self.rubrics for dimension in rubric.dimensions]

    @cached_property
    def of_tasks(self) -> list[Metric]:
        """The metrics that each task has a value of, the headline first."""
        return [metric for metric in side_by_side(self.metrics) if metric.scope != "run"]

    @cached_property
    def of_whole_runs(self) -> list[Metric]:
        """Those that a run alone has a value of."""
        return [metric for metric in of_runs(self.metrics) if metric.scope == "run"]

    @cached_property
    def judged_means(self) -> list[Mean]:
        """Those with a judge's score among them."""
        return [mean for mean in self.means if self.judge_metrics.keys() & mean.of]

    @cached_property
    def scores(self) -> tuple[str, ...]:
        """The figures that a task has a score of, by key."""
        return (*(metric.key for metric in self.of_tasks), *(mean.key for mean in self.judged_means))

    def better(self, key: str) -> Literal["high", "low", "neither"]:
        """Whether more of a figure is better; of a mean of several it is."""
        return next((metric.better for metric in self.metrics if metric.key == key), "high")

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """All figures of a task."""
        return (*self.scores, *COUNTS)

    @cached_property
    def made_of(self) -> Mapping[str, Sequence[str]]:
        """The columns that each score of some tasks is the mean of: itself, or those of a mean without a judge."""
        means = {mean.key: mean.of for mean in self.means if mean not in self.judged_means}
        return {key: (key,) for key in self.scores} | means
