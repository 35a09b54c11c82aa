"""A linear program with whole variables, built by names and solved by HiGHS."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Final, Literal

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

Key = tuple[object, ...]
Terms = Iterable[tuple[Key, float]]
Status = Literal["optimal", "time_limit", "infeasible", "failed"]
_INFINITE: Final = float("inf")
_STATUS: Final[dict[int, Status]] = {0: "optimal", 1: "time_limit", 2: "infeasible"}
_HALF: Final = 0.5


@dataclass(frozen=True)
class Solution:
    """choice: the keys of the whole variables that are 1, None where no solution was found. gap: relative."""

    status: Status
    choice: frozenset[Key] | None
    worth: float = 0.0
    gap: float | None = None
    seconds: float = 0.0


@dataclass
class Program:
    """Variables from 0 to their tops, rows that bound sums, and what a unit of each variable is worth."""

    keys: dict[Key, int] = field(default_factory=dict)
    _gains: list[float] = field(default_factory=list)
    _tops: list[float] = field(default_factory=list)
    _whole: list[bool] = field(default_factory=list)
    _rows: list[tuple[list[tuple[int, float]], float, float]] = field(default_factory=list)

    @property
    def size(self) -> tuple[int, int]:
        """How many variables and rows there are."""
        return len(self.keys), len(self._rows)

    def add(self, *key: object, gain: float = 0.0, top: float = 1.0, whole: bool = True) -> Key:
        """A new variable."""
        self.keys[key] = len(self._gains)
        self._gains.append(gain)
        self._tops.append(top)
        self._whole.append(whole)
        return key

    def add_row(self, terms: Terms, low: float = -_INFINITE, high: float = _INFINITE) -> None:
        """low ≤ the sum of variables, each times its factor, ≤ high."""
        self._rows.append(([(self.keys[key], factor) for key, factor in terms], low, high))

    def solve(self, seconds: float, gap: float) -> Solution:
        """The most worth within a relative gap, or what was found when the time was over."""
        begun = monotonic()
        found = milp(
            -np.array(self._gains),
            integrality=np.array(self._whole, dtype=np.int8),
            bounds=Bounds(0, self._tops),
            constraints=self._constraint(),
            options={"time_limit": seconds, "mip_rel_gap": gap},
        )
        spent, status = monotonic() - begun, _STATUS.get(int(found.status), "failed")
        if found.x is None:
            return Solution(status, None, seconds=spent)
        values: Sequence[float] = found.x
        choice = frozenset(key for key, at in self.keys.items() if self._whole[at] and values[at] > _HALF)
        return Solution(status, choice, -float(found.fun), _number(found.mip_gap), spent)

    def _constraint(self) -> LinearConstraint:
        rows = [at for at, (terms, _, _) in enumerate(self._rows) for _ in terms]
        columns = [column for terms, _, _ in self._rows for column, _ in terms]
        factors = [factor for terms, _, _ in self._rows for _, factor in terms]
        matrix = csr_array((factors, (rows, columns)), shape=(len(self._rows), len(self._gains)))
        return LinearConstraint(
            matrix, [low for _, low, _ in self._rows], [high for _, _, high in self._rows]
        )


def _number(gap: object) -> float | None:
    return float(gap) if isinstance(gap, int | float) else None
