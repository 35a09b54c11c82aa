"""From how sessions ended to the figures of a run, and from two runs to what lies between them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from benchmark.core.events import CRASHES
from benchmark.core.model_use import ModelUse, merge_uses
from benchmark.core.tool_use import ToolUse, total
from benchmark.metrics import (
    LEVEL,
    PLACES,
    SHARED_METRICS,
    Facets,
    Mean,
    Metric,
    Trial,
    Values,
    of_runs,
    run_means,
    session_values,
    side_by_side,
)
from benchmark.suites import levels_of, metrics_of, suite_named

PLANS = "plans"
"""The metric that counts plans."""


def compared_metrics(suite: str) -> list[Metric]:
    """What runs are compared by: the headline first, then the suite's metrics, then those that every suite has."""
    return [*side_by_side(metrics_of(suite)), *shared_metrics(suite)]


def shared_metrics(suite: str) -> list[Metric]:
    """Those of every suite, without plans where nobody is asked for one, and without tools where there are none."""
    own = suite_named(suite)
    return [
        metric
        for metric in SHARED_METRICS
        if (own.rating.answer == "plan" if metric.key == PLANS else own.play.has_tools)
    ]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one session came out; session: its id. values: its score under a profile, with the rater's.

    facets: of its task. uses: by tool; models: by endpoint and role.
    """

    session: str
    task_id: str
    facets: Facets
    completion_reason: str
    plan_generated: bool
    values: Values
    uses: Mapping[str, ToolUse] = field(default_factory=dict)
    models: Sequence[ModelUse] = ()

    @property
    def crashed(self) -> bool:
        """Whether something broke that is not the conversation itself."""
        return self.completion_reason in CRASHES


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of some sessions: `means` by the key of `compared_metrics`, None where there are no sessions.

    crashed: sessions that did, which the means take for sessions without a plan. judged: sessions with a
    judge's score.
    """

    sessions: int
    crashed: int
    judged: int
    means: Mapping[str, Mean]

    @property
    def values(self) -> Values:
        """The means alone."""
        return {key: mean.value for key, mean in self.means.items()}


def figures_of(outcomes: Sequence[Outcome], suite: str) -> Figures:
    """The figures of some sessions of a benchmark; the scores averaged task by task."""
    metrics = compared_metrics(suite)
    raters = [metric.key for metric in metrics if metric.source == "rater"]
    return Figures(
        sessions=len(outcomes),
        crashed=sum(outcome.crashed for outcome in outcomes),
        judged=sum(any(outcome.values.get(key) is not None for key in raters) for outcome in outcomes),
        means=_means(metrics, outcomes, suite),
    )


def _means(metrics: Iterable[Metric], outcomes: Iterable[Outcome], suite: str) -> dict[str, Mean]:
    trials = [trial_of(outcome) for outcome in outcomes]
    scoring = suite_named(suite).scoring
    return run_means(metrics, trials, scoring.profiles[scoring.profile], PLACES)


def trial_of(outcome: Outcome) -> Trial:
    used = session_values(planned=outcome.plan_generated, use=total(outcome.uses.values()))
    return Trial(outcome.task_id, {**outcome.values, **used}, outcome.facets)


def by_difficulty(outcomes: Sequence[Outcome], suite: str) -> list[tuple[str, Figures]]:
    """The figures of all sessions under "", then of each difficulty that there is."""
    groups: dict[str, list[Outcome]] = {difficulty: [] for difficulty in levels_of(suite)}
    for outcome in outcomes:
        groups.setdefault(str(outcome.facets.get(LEVEL) or ""), []).append(outcome)
    parts = [
        (difficulty, figures_of(group, suite)) for difficulty, group in groups.items() if difficulty and group
    ]
    return [("", figures_of(outcomes, suite)), *parts]


def uses_of(outcomes: Iterable[Outcome]) -> dict[str, ToolUse]:
    """How each tool was used, the most called first."""
    uses: dict[str, ToolUse] = {}
    for outcome in outcomes:
        for tool, use in outcome.uses.items():
            uses.setdefault(tool, ToolUse()).add(use)
    return dict(sorted(uses.items(), key=lambda item: (-item[1].calls, item[0])))


def model_uses_of(outcomes: Iterable[Outcome]) -> list[ModelUse]:
    """How each endpoint was used by each role."""
    return merge_uses(use for outcome in outcomes for use in outcome.models)


@dataclass(frozen=True, slots=True)
class ToolRow:
    """One tool, or all. a_session: calls, hits, misses, simulated, live and errors, each a mean; errors: by kind."""

    name: str
    a_session: tuple[float, ...]
    errors: tuple[int, ...]


def tool_rows(uses: Mapping[str, ToolUse], sessions: int, kinds: Sequence[str]) -> list[ToolRow]:
    """A row a tool. sessions: what the means are over, at least 1; kinds: the errors that are told apart."""
    return [
        ToolRow(name, tuple(n / sessions for n in _counts(use)), tuple(use.errors[kind] for kind in kinds))
        for name, use in uses.items()
    ]


def _counts(use: ToolUse) -> tuple[int, ...]:
    return use.calls, use.hits, use.misses, use.simulated, use.live, use.error_count


@dataclass(frozen=True, slots=True)
class Difference:
    """A run against another over the tasks that both have. tasks: how many those are; changes: by figure."""

    tasks: int
    changes: Mapping[str, float | None]


def difference(first: Sequence[Outcome], second: Sequence[Outcome], suite: str) -> Difference:
    """What `second` has more than `first` over their common tasks; of a rater over those that were rated in both.

    None where either has no figure.
    """
    common = _tasks(first) & _tasks(second)
    changes = _changes(compared_metrics(suite), first, second, common, suite)
    for metric in of_runs(metrics_of(suite)):
        if metric.source == "rater":
            rated = _tasks(_rated_outcomes(first, metric)) & _tasks(_rated_outcomes(second, metric))
            changes |= _changes([metric], first, second, rated, suite)
    return Difference(len(common), changes)


def _changes(
    metrics: Sequence[Metric],
    first: Sequence[Outcome],
    second: Sequence[Outcome],
    tasks: Collection[str],
    suite: str,
) -> dict[str, float | None]:
    before, after = (_means(metrics, _of(tasks, outcomes), suite) for outcomes in (first, second))
    return {metric.key: _minus(after[metric.key].value, before[metric.key].value) for metric in metrics}


def _tasks(outcomes: Iterable[Outcome]) -> set[str]:
    return {outcome.task_id for outcome in outcomes}


def _of(tasks: Collection[str], outcomes: Iterable[Outcome]) -> list[Outcome]:
    return [outcome for outcome in outcomes if outcome.task_id in tasks]


def _rated_outcomes(outcomes: Iterable[Outcome], metric: Metric) -> list[Outcome]:
    return [outcome for outcome in outcomes if outcome.values.get(metric.key) is not None]


def _minus(after: float | None, before: float | None) -> float | None:
    return None if after is None or before is None else after - before
