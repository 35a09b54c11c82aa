"""Which agent people prefer: wins of pairs, and Bradley-Terry scores with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmark.labelling.statistic import Definition, Size, Statistic
from benchmark.metrics import gettext_noop as _
from benchmark.remarks import Remark

Floats = NDArray[np.float64]
Answer = Literal["A", "B", "tie", "neither"]
Ties = Literal["half", "drop"]
BRADLEY_TERRY = Definition(
    key="bradley_terry",
    name=_("Bradley-Terry score"),
    meaning=_(
        "The logarithm of an agent's strength, where an agent is preferred to another as often as "
        "its share of the strength of both. The scores have the mean 0."
    ),
    source="Bradley and Terry 1952; Maystre and Grossglauser 2015",
)
_NO_WINS = _("no answer prefers an agent")
_SEPARATE_GROUPS = _(
    "some agents always win, always lose or are never compared with the others, so no finite scores "
    "fit best; more answers or a regularised fit help"
)
_REGULARISATION_NOTE = _("regularised: %(prior)s wins of each agent over each other one were added")
_TIES_HALF = _("ties count as half a win of each: %(ties)s")
_TIES_DROPPED = _("ties left out: %(ties)s")
_NEITHER = _("answers that found neither satisfactory left out: %(neither)s")
_RESAMPLES = _(
    "resamples left out of the interval because no finite scores fit them: %(without)s of %(resamples)s"
)
_NO_INTERVAL = _(
    "no interval: no finite scores fit %(without)s of %(resamples)s resamples, more than its ends leave out"
)
RESAMPLES = 1000
LEVEL = 0.95
MOST_WITHOUT = (1 - LEVEL) / 2
"""Share of resamples without a fit up to which the ends of an interval are told."""
_AT_ONCE = 100
_STEPS = 10_000
_NEWTON = 20
_TOLERANCE = 1e-9


class Comparison(NamedTuple):
    """One answer on a pair: A prefers the first agent, B the second. item: what is resampled as a whole."""

    item: str
    first: str
    second: str
    answer: Answer


@dataclass(frozen=True, eq=False)
class WinMatrix:
    """Answers by agents: arrays of agents × agents, in the order of their names.

    wins: those that prefer the agent of the row to that of the column. ties, neither: alike both ways; a tie says
    that both are equally good, “neither” that none is satisfactory, which tells nothing of which is better.
    """

    agents: tuple[str, ...]
    wins: NDArray[np.int64]
    ties: NDArray[np.int64]
    neither: NDArray[np.int64]

    @cached_property
    def shares(self) -> Floats:
        """The share of wins of the row over the column in their answers but “neither”, a tie as half; NaN of none."""
        with np.errstate(invalid="ignore"):
            shares: Floats = (self.wins + self.ties / 2) / (self.wins + self.wins.T + self.ties)
        return shares


def win_matrix(comparisons: Sequence[Comparison]) -> WinMatrix:
    """Count the answers.

    Raises:
        ValueError: an answer compares an agent with itself, or is none of A, B, tie and neither.
    """
    agents = tuple(
        sorted({name for comparison in comparisons for name in (comparison.first, comparison.second)})
    )
    at = {name: number for number, name in enumerate(agents)}
    wins, ties, neither = (np.zeros((len(agents), len(agents)), dtype=np.int64) for _ in range(3))
    for comparison in comparisons:
        first, second = at[comparison.first], at[comparison.second]
        if first == second:
            raise ValueError(f"{comparison.item}: compares {comparison.first} with itself")
        match comparison.answer:
            case "A":
                wins[first, second] += 1
            case "B":
                wins[second, first] += 1
            case "tie" | "neither":
                both = ties if comparison.answer == "tie" else neither
                both[first, second] += 1
                both[second, first] += 1
            case _:
                raise ValueError(
                    f"{comparison.item}: the answer {comparison.answer!r} is none of A, B, tie and neither"
                )
    return WinMatrix(agents, wins, ties, neither)


@dataclass(frozen=True, slots=True)
class BradleyTerry:
    """scores: of each agent, the best first where they are defined. prior: wins that were added each way.

    remarks: what was left out or added, of all scores.
    """

    scores: dict[str, Statistic]
    matrix: WinMatrix
    prior: float = 0.0
    remarks: tuple[Remark, ...] = ()

    def chance(self, first: str, second: str) -> float | None:
        """With what probability the first agent is preferred to the second; None without scores."""
        one, other = self.scores[first].value, self.scores[second].value
        return None if one is None or other is None else float(1 / (1 + np.exp(other - one)))


def bradley_terry(
    comparisons: Sequence[Comparison],
    *,
    ties: Ties = "half",
    prior: float = 0.0,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> BradleyTerry:
    """Scores by greatest likelihood, with percentile intervals over resampled items.

    ties: as half a win of each, or left out; “neither” is always left out. prior: wins that are added to each agent
    over each other one, for a regularised fit; one half keeps all scores finite. Agents without a counted answer
    have no score unless there is a prior. As `win_matrix`, raises ValueError.
    """
    matrix = win_matrix(comparisons)
    counted = [
        comparison
        for comparison in comparisons
        if comparison.answer in ("A", "B") or (comparison.answer == "tie" and ties == "half")
    ]
    remarks = _remarks(matrix, ties, prior)
    size = Size(
        items=len({comparison.item for comparison in counted}),
        ratings=len(counted),
        pairs=_pairs(matrix),
        raters=0,
    )
    wins = matrix.wins + (matrix.ties / 2 if ties == "half" else 0.0)
    added = prior * (1 - np.eye(len(matrix.agents)))
    # unless wins lead from every agent to every other one, the likelihood has no greatest value (Ford 1957)
    if not counted or not _is_connected((wins + added)[None])[0]:
        reason = Remark(_SEPARATE_GROUPS if counted else _NO_WINS)
        undefined = {name: Statistic(BRADLEY_TERRY, None, size, reason=reason) for name in matrix.agents}
        return BradleyTerry(undefined, matrix, prior, remarks)
    scores = _fit(wins + added)
    resampled = _resample_wins(counted, matrix.agents, resamples, seed) + added
    fits = _fit_near(resampled[_is_connected(resampled)], scores)
    ends, more = _interval(fits, resamples, len(matrix.agents))
    order = np.argsort(-scores, kind="stable")
    made = {matrix.agents[at]: Statistic(BRADLEY_TERRY, float(scores[at]), size, *ends[at]) for at in order}
    return BradleyTerry(made, matrix, prior, (*remarks, *more))


def _pairs(matrix: WinMatrix) -> int:
    """How many pairs of agents were compared."""
    return int(np.triu(matrix.wins + matrix.wins.T + matrix.ties + matrix.neither > 0, 1).sum())


def _remarks(matrix: WinMatrix, ties: Ties, prior: float) -> tuple[Remark, ...]:
    tied, neither = int(matrix.ties.sum()) // 2, int(matrix.neither.sum()) // 2
    remarks = (
        tied and Remark(_TIES_HALF if ties == "half" else _TIES_DROPPED, {"ties": tied}),
        neither and Remark(_NEITHER, {"neither": neither}),
        prior and Remark(_REGULARISATION_NOTE, {"prior": f"{prior:g}"}),
    )
    return tuple(remark for remark in remarks if isinstance(remark, Remark))


def _fit(wins: Floats) -> Floats:
    """Of wins whose graph is strongly connected."""
    from choix import ilsr_pairwise_dense

    return ilsr_pairwise_dense(wins, max_iter=_STEPS)


def _fit_near(wins: Floats, start: Floats) -> Floats:
    """Of many such matrices: by Newton's steps for all at once, which is ten times faster; the rest one by one."""
    scores, settled = _newton(wins, start)
    for at in np.flatnonzero(~settled):
        scores[at] = _fit(wins[at])
    return scores


def _newton(wins: Floats, start: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Scores after a few steps from `start`, and which of them have settled."""
    compared, won = wins + wins.transpose(0, 2, 1), wins.sum(axis=2)
    scores = np.tile(start, (len(wins), 1))
    diagonal = np.arange(len(start))
    step = np.full_like(scores, np.inf)
    for _step in range(_NEWTON):
        with np.errstate(over="ignore", invalid="ignore"):
            chance = 1 / (1 + np.exp(scores[:, None, :] - scores[:, :, None]))
            slope = won - (compared * chance).sum(axis=2)
            curve = -compared * chance * (1 - chance)
            curve[:, diagonal, diagonal] = -curve.sum(axis=2)
        try:  # a constant is added, since the scores may all be moved alike
            step = np.linalg.solve(curve + 1, slope[..., None])[..., 0]
        except np.linalg.LinAlgError:
            return scores, np.zeros(len(wins), dtype=bool)
        scores += step
        if np.abs(step).max(initial=0.0) < _TOLERANCE:
            break
    return scores, np.abs(step).max(axis=1) < _TOLERANCE


def _is_connected(wins: Floats) -> NDArray[np.bool_]:
    """Of each matrix, whether every agent has won, directly or over others, against every other one."""
    reached = (wins > 0) | np.eye(wins.shape[-1], dtype=bool)
    for _step in range(max(1, int(np.ceil(np.log2(max(wins.shape[-1], 2)))))):
        reached = np.matmul(reached.astype(np.float32), reached.astype(np.float32)) > 0
    return np.asarray(reached.all(axis=(1, 2)))


def _resample_wins(
    counted: Sequence[Comparison], agents: tuple[str, ...], resamples: int, seed: int
) -> Floats:
    """Wins in resamples of the items: resamples × agents × agents."""
    from scipy.sparse import csr_matrix

    at = {name: number for number, name in enumerate(agents)}
    items = {
        name: number for number, name in enumerate(dict.fromkeys(comparison.item for comparison in counted))
    }
    entries = [
        entry
        for comparison in counted
        for entry in _entries(items[comparison.item], at[comparison.first], at[comparison.second], comparison)
    ]
    of_item, winner, loser, share = np.array(entries).T
    cell = (winner * len(agents) + loser).astype(int)
    wins = csr_matrix((share, (cell, of_item.astype(int))), shape=(len(agents) ** 2, len(items)))
    chance = np.random.default_rng(seed)
    drawn = [
        np.stack(
            [
                np.bincount(chance.integers(0, len(items), len(items)), minlength=len(items))
                for _ in range(size)
            ]
        )
        for size in _sizes(resamples)
    ]
    resampled = [(wins @ counts.T).T for counts in drawn]
    return np.concatenate([np.empty((0, len(agents) ** 2)), *resampled]).reshape(-1, len(agents), len(agents))


def _entries(item: int, first: int, second: int, comparison: Comparison) -> list[tuple[int, int, int, float]]:
    """Item, winner, loser, and how much of a win it is."""
    if comparison.answer == "tie":
        return [(item, first, second, 0.5), (item, second, first, 0.5)]
    return [(item, first, second, 1.0) if comparison.answer == "A" else (item, second, first, 1.0)]


def _sizes(whole: int) -> list[int]:
    return [min(_AT_ONCE, whole - begin) for begin in range(0, whole, _AT_ONCE)]


def _interval(
    fits: Floats, resamples: int, agents: int
) -> tuple[list[tuple[float, float] | tuple[()]], tuple[Remark, ...]]:
    """The ends for each agent, and what is to be said of them."""
    without = resamples - len(fits)
    counts = {"without": without, "resamples": resamples}
    if without > MOST_WITHOUT * resamples:
        return [()] * agents, (Remark(_NO_INTERVAL, counts),)
    if not resamples:
        return [()] * agents, ()
    ends = np.quantile(fits, (MOST_WITHOUT, 1 - MOST_WITHOUT), axis=0).T
    return [(float(low), float(high)) for low, high in ends], (Remark(_RESAMPLES, counts),) if without else ()
