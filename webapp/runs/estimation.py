"""What a run will take, told from sessions that have ended."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from statistics import fmean, variance
from typing import Any

from benchmark.core.model_use import ModelUse
from benchmark.core.participant import OUTSIDE_KINDS
from benchmark.models import ModelSetup, Usage, cost
from webapp.endpoints.models import ModelEndpoint
from webapp.runs.selectors import played_s
from webapp.sessions.models import Session, Status

NEWEST = 200
"""Sessions that an estimate is made of, at most."""
LEAST = 3
"""Fewer of them tell nothing."""
Z_90 = 1.645
"""Nine tenths of a normal distribution lie within so many standard deviations of its mean."""
MANY = 1_000_000


@dataclass(frozen=True, slots=True)
class Players:
    """Who plays the sessions of a run: kinds, and models where kinds need them."""

    suite: str
    agent: str
    users: str
    agent_model: ModelEndpoint | None = None
    user_model: ModelEndpoint | None = None
    simulator_model: ModelEndpoint | None = None

    @property
    def models(self) -> dict[str, ModelEndpoint]:
        """The models by their roles in `ModelUse`."""
        of = {"agent": self.agent_model, "travellers": self.user_model, "simulator": self.simulator_model}
        return {role: model for role, model in of.items() if model is not None}


@dataclass(frozen=True, slots=True)
class Range:
    """A sum that is to be expected, and bounds between which 9 of 10 such sums lie."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run is to take. sessions: those that it is told from; same_players: whether they had the same kinds and
    models.

    tokens: of prompts and answers. costs: by currency, at today's prices; models_without_price: those that are
    left out of them. seconds: at the pace of those sessions, None where people or programs take part; at_once:
    how many were played at once then, or may be.
    """

    sessions: int
    same_players: bool
    tokens: Range
    costs: dict[str, Range] = field(default_factory=dict)
    models_without_price: tuple[str, ...] = ()
    seconds: Range | None = None
    at_once: float = 1.0


@dataclass(frozen=True, slots=True)
class Sample:
    """What one session took. costs: by currency, at today's prices."""

    difficulty: str
    seconds: float
    tokens: int
    costs: Mapping[str, float]


def estimate_run(players: Players, counts: Mapping[str, int], at_once: int | None = None) -> Estimate | None:
    """What sessions will take; None where too few like them have ended.

    counts: sessions by the difficulty of their tasks. at_once: how many of them may be played at once.
    """
    for narrow in (True, False):
        rows = _sessions_like(players, same_models=narrow)
        if len(rows) >= LEAST:
            return _estimate(players, counts, at_once, rows, same_players=narrow)
    return None


def _sessions_like(players: Players, *, same_models: bool) -> list[dict[str, Any]]:
    """Sessions of the same kinds of participants that finished and were played here from their beginning."""
    finished = Session.objects.filter(
        suite=players.suite,
        agent=players.agent,
        users=players.users,
        status=Status.FINISHED,
        brought_by=None,
        replay_of=None,
        fork_of=None,
    ).exclude(started_at=None)
    if same_models:
        finished = finished.filter(agent_model=players.agent_model, user_model=players.user_model)
    columns = ("started_at", "finished_at", "model_use", "task__difficulty")
    return list(finished.order_by("-finished_at").values(*columns)[:NEWEST])


def _estimate(
    players: Players,
    counts: Mapping[str, int],
    at_once: int | None,
    rows: Sequence[Mapping[str, Any]],
    *,
    same_players: bool,
) -> Estimate:
    setups = {role: model.setup() for role, model in players.models.items()}
    samples = [_sample(row, setups) for row in rows]
    currencies = sorted({currency for sample in samples for currency in sample.costs})
    models_without_price = {setup.name for setup in setups.values() if cost(setup, Usage(0, 0)) is None}
    at_work = min(_played_at_once(rows), float(at_once or MANY), float(sum(counts.values())))
    seconds = None
    if not {players.agent, players.users} & {*OUTSIDE_KINDS}:
        in_turn = sum_range(samples, counts, lambda sample: sample.seconds)
        seconds = Range(*(bound / max(at_work, 1.0) for bound in (in_turn.mean, in_turn.low, in_turn.high)))
    return Estimate(
        sessions=len(samples),
        same_players=same_players,
        tokens=sum_range(samples, counts, lambda sample: sample.tokens),
        costs={currency: sum_range(samples, counts, partial(_cost_in, currency)) for currency in currencies},
        models_without_price=tuple(sorted(models_without_price)),
        seconds=seconds,
        at_once=at_work,
    )


def _sample(row: Mapping[str, Any], setups: Mapping[str, ModelSetup]) -> Sample:
    """A role without a model in `setups`, such as a simulator, costs what it cost then."""
    costs: dict[str, float] = {}
    uses = [ModelUse.of(use) for use in row["model_use"]]
    for use in uses:
        for currency, amount in _use_costs(use, setups.get(use.role)).items():
            costs[currency] = costs.get(currency, 0.0) + amount
    seconds = (row["finished_at"] - row["started_at"]).total_seconds()
    return Sample(row["task__difficulty"], seconds, sum(use.prompt + use.completion for use in uses), costs)


def _cost_in(currency: str, sample: Sample) -> float:
    return sample.costs.get(currency, 0.0)


def _use_costs(use: ModelUse, setup: ModelSetup | None) -> Mapping[str, float]:
    if setup is None:
        return use.costs
    amount = cost(setup, Usage(use.prompt, use.completion, use.cached))
    return {} if amount is None else {setup.currency: amount}


def _played_at_once(rows: Sequence[Mapping[str, Any]]) -> float:
    """How many of these sessions were played at once, on average, while any was."""
    stretches = sorted((row["started_at"], row["finished_at"]) for row in rows)
    whole = played_s(stretches, since=stretches[0][0])
    lasted = sum((last - first).total_seconds() for first, last in stretches)
    return max(1.0, lasted / whole) if whole else 1.0


def sum_range(
    samples: Iterable[Sample], counts: Mapping[str, int], figure: Callable[[Sample], float]
) -> Range:
    """The sum of a figure over sessions to come, which are counted by the difficulty of their tasks.

    Sessions of a difficulty have the mean and the variance of its samples, or of all samples where it has fewer than
    `LEAST`. The bounds are those of a normal distribution with the variance of n new sessions and of the estimated
    mean: n s² + n² s² / m for m samples.
    """
    all_figures: list[float] = []
    by_difficulty: dict[str, list[float]] = {}
    for sample in samples:
        value = figure(sample)
        all_figures.append(value)
        by_difficulty.setdefault(sample.difficulty, []).append(value)
    mean = spread = 0.0
    for difficulty, count in counts.items():
        figures = by_difficulty.get(difficulty, [])
        figures = figures if len(figures) >= LEAST else all_figures
        mean += count * fmean(figures)
        spread += variance(figures) * (count + count**2 / len(figures))
    margin = Z_90 * sqrt(spread)
    return Range(mean, max(0.0, mean - margin), mean + margin)
