"""Rewards of turns as GTPO makes them (TRIP-Bench, section 4.2): by constraint, differenced, and by turn."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final, Literal, NamedTuple, TypedDict

from benchmark.advantages import grpo

Scope = Literal["rollout", "group"]


class RolloutTurn(NamedTuple):
    """scores: 1 or 0 of each constraint that applies. is_complete: whether it is within the budget of the context."""

    is_feasible: bool
    is_complete: bool
    scores: Mapping[str, float]


class RewardedTurn(NamedTuple):
    """message: the number in the log (`seq`) of the reply that ends the turn."""

    message: int
    turn: RolloutTurn


@dataclass(frozen=True)
class Normalisation:
    """Which parts are on. gin: by constraint, over the turns of `gin_scope`; trd: differences; trn: by turn."""

    gin: bool = True
    trd: bool = True
    trn: bool = True
    eps: float = 1e-6
    gin_scope: Scope = "rollout"


WHOLE: Final = Normalisation()
"""With all parts."""


class TurnRewards(TypedDict):
    """A list a rollout, as golden files name them. raw, r, d: of its complete turns. advantages, mask: of all."""

    raw: list[list[float]]
    r: list[list[float]]
    d: list[list[float]]
    advantages: list[list[float | None]]
    mask: list[list[int]]


def turn_advantages(rollouts: Sequence[Sequence[RolloutTurn]], parts: Normalisation = WHOLE) -> TurnRewards:
    """raw, r and d of the complete turns of each rollout, advantages and mask of all turns (section 4.2).

    A turn that is not complete, and each one after it, is outside every mean: its advantage is None, its mask 0.
    """
    complete = [_complete_turns(turns) for turns in rollouts]
    raw = [[*map(raw_reward, turns)] for turns in complete]
    r = _normalise_constraints(complete, parts) if parts.gin else raw
    d = _differences(complete, r) if parts.trd else r
    normal: Sequence[Sequence[float | None]] = d
    if parts.trn:
        normal = _normalise_turns(d, len(rollouts), parts.eps)
    advantages = _with_incomplete(normal, rollouts)
    mask = [[int(value is not None) for value in own] for own in advantages]
    return {"raw": raw, "r": r, "d": d, "advantages": advantages, "mask": mask}


def last_turn_advantages(
    rollouts: Sequence[Sequence[RolloutTurn]], eps: float = 1e-6
) -> list[list[float | None]]:
    """GRPO beside it: all complete turns of a rollout have the advantage of its last raw reward, 0 without any."""
    complete = [_complete_turns(turns) for turns in rollouts]
    last = [raw_reward(turns[-1]) if turns else 0.0 for turns in complete]
    own = [
        [value] * len(turns) for value, turns in zip(grpo.advantages(last, eps=eps), complete, strict=True)
    ]
    return _with_incomplete(own, rollouts)


def raw_reward(turn: RolloutTurn) -> float:
    """The share of its constraints that a turn meets; 0 where it is not feasible, or none applies."""
    return _mean_if_feasible(turn, list(turn.scores.values()))


def _with_incomplete(
    own: Sequence[Sequence[float | None]], rollouts: Sequence[Sequence[RolloutTurn]]
) -> list[list[float | None]]:
    return [
        [*values, *[None] * (len(turns) - len(values))] for values, turns in zip(own, rollouts, strict=True)
    ]


def _complete_turns(turns: Sequence[RolloutTurn]) -> list[RolloutTurn]:
    count = next((n for n, turn in enumerate(turns) if not turn.is_complete), len(turns))
    return [*turns[:count]]


def _mean_if_feasible(turn: RolloutTurn, scores: Sequence[float]) -> float:
    return fmean(scores) if turn.is_feasible and scores else 0.0


def _normalise_constraints(
    complete: Sequence[Sequence[RolloutTurn]], parts: Normalisation
) -> list[list[float]]:
    if parts.gin_scope == "group":
        shared = _moments([turn for turns in complete for turn in turns])
        moments = [shared] * len(complete)
    else:
        moments = [_moments(turns) for turns in complete]

    def normalise(turn: RolloutTurn, own: Mapping[str, tuple[float, float]]) -> float:
        scores = [_deviations(score, own[key], parts.eps) for key, score in turn.scores.items()]
        return _mean_if_feasible(turn, scores)

    return [[normalise(turn, own) for turn in turns] for turns, own in zip(complete, moments, strict=True)]


def _moments(turns: Sequence[RolloutTurn]) -> dict[str, tuple[float, float]]:
    """Mean and population deviation of each constraint over the turns where it applies."""
    scores: dict[str, list[float]] = defaultdict(list)
    for turn in turns:
        for key, score in turn.scores.items():
            scores[key].append(score)
    return {key: _mean_and_deviation(values) for key, values in scores.items()}


def _mean_and_deviation(values: Sequence[float]) -> tuple[float, float]:
    """The mean, and the population deviation from it, which is exactly 0 where all are equal."""
    if min(values) == max(values):
        return values[0], 0.0
    mean = fmean(values)
    return mean, math.sqrt(fmean([(value - mean) ** 2 for value in values]))


def _deviations(value: float, moments: tuple[float, float], eps: float) -> float:
    """0 where all values are the mean: what is always met tells nothing."""
    mean, deviation = moments
    return (value - mean) / (deviation + eps) if deviation else 0.0


def _differences(
    complete: Sequence[Sequence[RolloutTurn]], r: Sequence[Sequence[float]]
) -> list[list[float]]:
    """What each turn adds to the one before; after an infeasible one, to the best of the group there."""
    best = [
        max(own[at] for own in r if len(own) > at) for at in range(max((len(own) for own in r), default=0))
    ]
    return [
        [
            reward - ((own[at - 1] if turns[at - 1].is_feasible else best[at - 1]) if at else 0.0)
            for at, reward in enumerate(own)
        ]
        for turns, own in zip(complete, r, strict=True)
    ]


def _normalise_turns(d: Sequence[Sequence[float]], rollouts: int, eps: float) -> list[list[float | None]]:
    """Deviations from the group's mean at each turn; None where fewer than half of the rollouts reach it."""
    longest = max((len(own) for own in d), default=0)
    groups = [[own[at] for own in d if len(own) > at] for at in range(longest)]
    moments = [_mean_and_deviation(group) if 2 * len(group) >= rollouts else None for group in groups]

    def normalise(value: float, own: tuple[float, float] | None) -> float | None:
        return None if own is None else _deviations(value, own, eps)

    return [[normalise(value, moments[at]) for at, value in enumerate(own)] for own in d]


class Token(NamedTuple):
    """ratio: of the probabilities by the new policy and the old. kl: from the reference. mask: 1 for the agent's."""

    ratio: float
    kl: float
    mask: float


def objective(
    rollouts: Sequence[Sequence[tuple[float | None, Sequence[Token]]]], clip: float = 0.2, beta: float = 0.05
) -> float:
    """The mean over rollouts, their turns and a turn's tokens of the clipped gain, less divergence (equation 11).

    rollouts: the advantage of each turn, None counting as 0, and its tokens. The paper's clipped term lacks the
    advantage by a slip.
    """

    def gain(advantage: float, token: Token) -> float:
        clipped = min(max(token.ratio, 1 - clip), 1 + clip)
        return token.mask * (min(token.ratio * advantage, clipped * advantage) - beta * token.kl)

    return _mean(
        [
            _mean([_mean([gain(advantage or 0.0, token) for token in tokens]) for advantage, tokens in turns])
            for turns in rollouts
        ]
    )


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0
