"""Runs on one scale: each metric from 0 for the worst of the runs compared to 100 for the best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from benchmark.remarks import gettext_noop as _
from benchmark.reports import Cell, Chart, Column, Note, Part, PartWords, Report, RunFigures, Table
from benchmark.suites.traveleval.metrics import GROUPS as DIMENSIONS
from benchmark.suites.traveleval.report.means import ALL, FIGURES, LEVELS, METRIC, mean_of, sessions_of

Scores = Mapping[str, float]
"""By the label of the run."""
ONE_RUN = Note("one_run")


def normalise(values: Mapping[str, float | None], *, low_is_better: bool) -> dict[str, float]:
    """Values of runs from 0 for the worst to 100 for the best; nothing where all that have one are alike."""
    known = {label: value for label, value in values.items() if value is not None}
    least, most = min(known.values(), default=0.0), max(known.values(), default=0.0)
    if least == most:
        return {}
    worst, best = (most, least) if low_is_better else (least, most)
    return {label: 100 * (value - worst) / (best - worst) for label, value in known.items()}


def scores_by_figure(runs: Sequence[RunFigures], group: str) -> dict[str, dict[str, float]]:
    """The runs' normalised means over a group of queries by metric; without those in which all are alike.

    More is better of what is neither, the density of attractions, as the paper prints it.
    """
    plans = {run.label: sessions_of(run.sessions, group) for run in runs}
    means = {key: {label: mean_of(own, key).value for label, own in plans.items()} for key in FIGURES}
    scores = {
        key: normalise(values, low_is_better=METRIC[key].better == "low") for key, values in means.items()
    }
    return {key: own for key, own in scores.items() if own}


def dimensions(report: Report) -> Table:
    """A row a group of queries, dimension and run: the mean of the normalised metrics."""
    rows = [row for group in (ALL, *LEVELS) for row in _dimension_rows(report.runs, group)]
    columns = [
        *(Column("group", "name"), Column("metrics", "name"), Column("run", "name")),
        Column("score", places=1),
    ]
    return Table(columns, rows, [Note("normalised")] if rows else [ONE_RUN])


def _dimension_rows(runs: Sequence[RunFigures], group: str) -> Iterator[list[Cell]]:
    scores = scores_by_figure(runs, group)
    for dimension in DIMENSIONS if scores else ():
        own = [scores[key] for key in scores if METRIC[key].group == dimension.key]
        for run in runs:
            known = [figure[run.label] for figure in own if run.label in figure]
            yield [group, dimension.key, run.label, fmean(known) if known else None]


def strategies(report: Report) -> Table:
    """A row a model, metric and run on hard queries, of models that several agents here are over."""
    by_model: dict[str, list[RunFigures]] = {}
    for run in report.runs:
        by_model.setdefault(run.cast.get("agent_model", ""), []).append(run)
    several = {model: runs for model, runs in by_model.items() if model and len(runs) > 1}
    rows: list[list[Cell]] = [
        [model, key, run.label, scores.get(run.label)]
        for model, runs in several.items()
        for key, scores in scores_by_figure(runs, "hard").items()
        for run in runs
    ]
    columns = [
        Column("model", "name"),
        Column("figure", "name"),
        Column("run", "name"),
        Column("score", places=1),
    ]
    return Table(columns, rows, [Note("normalised")] if rows else [Note("one_strategy")])


_NOTE_WORDS = {"normalised": _("Metrics in which all of these runs are alike are left out.")}
DIMENSION_RADARS = Part(
    "dimension_radars",
    dimensions,
    Chart("radar", x="metrics", y="score", series="run", facet="group", most=100),
    words=PartWords(
        _("Six dimensions by difficulty"),
        _(
            "In each chart the worst of the runs has 0 and the best has 100 in each metric. A dimension is the "
            "mean of its metrics. The paper does not say how it normalises; this way is ours."
        ),
        columns={"metrics": _("dimension")},
        values={"metrics": {group.key: group.label for group in DIMENSIONS}},
        notes=_NOTE_WORDS,
    ),
)
STRATEGY_RADARS = Part(
    "strategy_radars",
    strategies,
    Chart("radar", x="figure", y="score", series="run", facet="model", most=100),
    words=PartWords(
        _("Strategies on hard queries"),
        _(
            "Metrics of runs over the same model: 0 for the worst of them, 100 for the best. The paper counts 26 "
            "metrics here and does not say which; these are all but costs, 24."
        ),
        columns={"model": _("model")},
        notes={**_NOTE_WORDS, "one_strategy": _("No model has two agents here.")},
    ),
)
