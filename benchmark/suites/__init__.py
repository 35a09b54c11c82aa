"""The only list of the benchmarks. Each is a folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from benchmark.cases import ScoreCase
from benchmark.core.events import EventBody
from benchmark.metrics import Metric
from benchmark.suites.base import Suite

if TYPE_CHECKING:
    from benchmark.making import Making
    from benchmark.reports import Measures, Reporting

DEFAULT_SUITE = "grouptravel"
"""The benchmark of logs and rows that name none, since they were written before there were others."""


class UnknownSuite(KeyError):
    """No benchmark of this version has this name."""


def _grouptravel() -> Suite:
    from benchmark.suites.grouptravel.suite import SUITE

    return SUITE


def _travelbench() -> Suite:
    from benchmark.suites.travelbench.suite import SUITE

    return SUITE


SUITES: dict[str, Callable[[], Suite]] = {DEFAULT_SUITE: _grouptravel, "travelbench": _travelbench}
"""By name; each is imported when it is first asked for."""


def _travelbench_case(case: Mapping[str, Any]) -> dict[str, Any]:
    from benchmark.suites.travelbench.golden import score_case

    return score_case(case)


CASES: dict[str, ScoreCase] = {"travelbench": _travelbench_case}
"""What scores the cases of a benchmark's golden files, by its name; its rules are imported with the first case."""


def _travelbench_making() -> Making:
    from benchmark.suites.travelbench.making.steps import MAKING

    return MAKING


MAKINGS: dict[str, Callable[[], Making]] = {"travelbench": _travelbench_making}
"""The steps by which a benchmark's data is made, by its name."""


def suite_named(name: str) -> Suite:
    """The benchmark of this name.

    Raises:
        UnknownSuite: there is none.
    """
    if name not in SUITES:
        raise UnknownSuite(name)
    return SUITES[name]()


def metrics_of(suite: str) -> tuple[Metric, ...]:
    """The metrics of a benchmark, in the order in which a session shows them. Raises UnknownSuite."""
    return suite_named(suite).metrics


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
        metrics=benchmark.metrics,
        rubric=benchmark.judging,
        means=reporting.means,
        levels=reporting.levels,
        endings=reporting.endings,
    )


def load_body(suite: str, type_: str, v: int, payload: dict[str, Any]) -> EventBody:
    """The body of an event that a log of this benchmark stores, whatever released version wrote it.

    Raises:
        KeyError: no such benchmark, or it has no such type of event.
        pydantic.ValidationError: the payload is not of its type.
    """
    return suite_named(suite).kinds.load(type_, v, payload)
