"""Runs side by side, differences against the first (the paper's Table 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from benchmark.core.model_use import ModelUse, total
from benchmark.metrics import OF_CACHES, Metric, summary_metrics
from webapp.runs.cast import programs_of
from webapp.runs.figures import (
    Difference,
    Figures,
    Outcome,
    compared_metrics,
    difference,
    figures_of,
    model_uses_of,
)
from webapp.runs.wording import shown_mean
from webapp.sessions.models import Run
from webapp.wording.metrics import change_words


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure as it is shown.

    coverage: of how many tasks or trials it is, "" where it is of all. change: against the first run over common
    tasks, "" where there is none.
    """

    value: str
    coverage: str = ""
    change: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One run.

    programs: those in the seats of its `agent` and `users`, where programs sit there. models: what its sessions asked
    of models, all together. difference: what it has more than the first run, None for
    the first itself. ids: all runs, this one first.
    """

    run: Run
    figures: Figures
    programs: Mapping[str, str]
    models: ModelUse
    difference: Difference | None
    ids: str

    @property
    def all_crashed(self) -> bool:
        """Whether no session tells anything but that it crashed."""
        return 0 < self.figures.sessions == self.figures.crashed

    def cells(self) -> Iterator[Cell]:
        """The first figures of `compared_metrics`; a world has no cache whose hits could be counted."""
        for metric in summary_metrics(compared_metrics(self.run.suite)):
            if metric.key in OF_CACHES and not self.run.has_cache:
                yield Cell("–")
            else:
                yield Cell(*shown_mean(metric, self.figures.means[metric.key]), self._change(metric))

    def _change(self, metric: Metric) -> str:
        return change_words(metric, self.difference.changes[metric.key]) if self.difference else ""


def compare_runs(runs: Sequence[Run], outcomes: Mapping[str, Sequence[Outcome]]) -> list[Row]:
    """A row a run, in order."""
    return [_row(run, runs, outcomes) for run in runs]


def _row(run: Run, runs: Sequence[Run], outcomes: Mapping[str, Sequence[Outcome]]) -> Row:
    own = outcomes[run.pk]
    against = _difference_from(runs[0], run, outcomes) if run != runs[0] else None
    return Row(
        run=run,
        figures=figures_of(own, run.suite),
        programs=programs_of(run),
        models=total(model_uses_of(own)),
        difference=against,
        ids=ids_led_by(run, runs),
    )


def _difference_from(first: Run, run: Run, outcomes: Mapping[str, Sequence[Outcome]]) -> Difference:
    """Without what only caches have, where one of the two has none."""
    paired = difference(outcomes[first.pk], outcomes[run.pk], run.suite)
    if first.has_cache and run.has_cache:
        return paired
    return replace(paired, changes={**paired.changes, **dict.fromkeys(OF_CACHES)})


def ids_led_by(first: Run, runs: Sequence[Run]) -> str:
    """All runs as an address names them, this one first."""
    return ",".join([first.pk, *(run.pk for run in runs if run != first)])
