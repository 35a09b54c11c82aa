"""The only list of the benchmarks. Each is a folder."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmark.core.events import EventBody
from benchmark.metrics import LEVEL, Metric
from benchmark.suites.base import AnySuite

if TYPE_CHECKING:
    from benchmark.reports import Measures, Reporting

DEFAULT_SUITE = "grouptravel"
"""The benchmark of logs and rows that name none, since they were written before there were others."""


class UnknownSuite(KeyError):
    """No benchmark of this version has this name."""


SUITES = {
    name: f"benchmark.suites.{name}.suite"
    for name in (
        DEFAULT_SUITE,
        "travelbench",
        "traveleval",
        "tripscore",
        "tripbench",
    )
}
"""The module of each, which holds a `SUITE`, by its name; it is imported when it is first asked for."""


def suite_named(name: str) -> AnySuite:
    """The benchmark of this name.

    Raises:
        UnknownSuite: there is none.
    """
    if name not in SUITES:
        raise UnknownSuite(name)
    suite: AnySuite = import_module(SUITES[name]).SUITE
    return suite


def metrics_of(suite: str) -> tuple[Metric, ...]:
    """The metrics of a benchmark, in the order in which a session shows them. Raises UnknownSuite."""
    return suite_named(suite).scoring.metrics


def joint_metrics(suite: str) -> list[Metric]:
    """What a benchmark makes of figures and ratings together (`Scoring.join_ratings`). Raises UnknownSuite."""
    benchmark = suite_named(suite)
    if benchmark.scoring.join_ratings is None:
        return []
    of_rubrics = {rubric.metric for rubric in benchmark.rating.rubrics}
    raters = [metric for metric in benchmark.scoring.metrics if metric.source == "rater"]
    return [metric for metric in raters if metric.scope == "session" and metric.key not in of_rubrics]


def weight_grids() -> dict[str, Path]:
    """The files of the grids of weights that benchmarks bring, by name."""
    grids = [own for suite in SUITES for own in suite_named(suite).rating.weight_grids.items()]
    return {name: grid.file for name, grid in grids}


def first_profile(suite: str) -> str:
    """The profile whose figures a benchmark shows where nobody has chosen another. Raises UnknownSuite."""
    return suite_named(suite).scoring.profile


def reporting_of(suite: str) -> Reporting:
    """What the reports of a benchmark hold. Raises UnknownSuite."""
    from benchmark.reports import Reporting

    own = suite_named(suite).reporting
    return own() if own else Reporting()


def measures_of(suite: str, profile: str) -> Measures:
    """How a benchmark measures sessions under one of its profiles. Raises UnknownSuite, KeyError."""
    from benchmark.reports import Measures

    benchmark, reporting = suite_named(suite), reporting_of(suite)
    return Measures(
        suite=suite,
        code_version=benchmark.scoring.code_version,
        profile=profile,
        averaging=benchmark.scoring.profiles[profile],
        metrics=benchmark.scoring.metrics,
        rubrics=benchmark.rating.rubrics,
        means=reporting.means,
        levels=levels_of(suite),
        endings=reporting.endings,
    )


def levels_of(suite: str) -> tuple[str, ...]:
    """The difficulties of a benchmark's tasks, in its order; none where they have none. Raises UnknownSuite."""
    fields = suite_named(suite).tasks.fields
    return tuple(key for own in fields if own.key == LEVEL and "groups" in own.places for key in own.choices)


def load_body(suite: str, type_: str, v: int, payload: dict[str, Any]) -> EventBody:
    """The body of an event that a log of this benchmark stores, whatever released version wrote it.

    Raises:
        KeyError: no such benchmark, or it has no such type of event.
        pydantic.ValidationError: the payload is not of its type.
    """
    return suite_named(suite).play.kinds.load(type_, v, payload)
