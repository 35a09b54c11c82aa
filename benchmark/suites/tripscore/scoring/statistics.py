"""Figures over many plans: aggregates, the ceiling of agreement, advantages, agreement with labels."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final

_TINY: Final = 1e-12
_PLACES: Final = 9
"""To which differences of rewards are rounded."""
LABELS: Final = {"A": 1, "B": -1, "N": 0}


def aggregate(results: Sequence[tuple[bool, bool, float]]) -> dict[str, float | None]:
    """DR, CPR, CondR and Reward over plans that are (delivered, feasible, reward); None for a mean of nothing."""
    delivered = [feasible for given, feasible, _ in results if given]
    return {
        "DR": _mean([float(given) for given, _, _ in results]),
        "CPR": _mean([float(feasible) for feasible in delivered]),
        "CondR": _mean([reward for given, feasible, reward in results if given and feasible]),
        "Reward": _mean([reward for _, _, reward in results]),
    }


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


def ceiling(classes: int, pair: float, model: float) -> dict[str, float | None]:
    """What a perfect judge reaches against people who err. pair: how often two people agree; model: how often the
    model agrees with one.
    """
    names = ("r", "r_model", "ratio", "A_all")
    if classes * pair < 1:
        return dict.fromkeys(names)
    r = (1 + math.sqrt((classes - 1) * (classes * pair - 1))) / classes
    below = classes * r - 1
    r_model = (classes * model - model + r - 1) / below if abs(below) > _TINY else None
    ratio = r_model / r if r_model is not None else None
    every = r**3 + (1 - r) ** 3 / (classes - 1) ** 2 if classes > 1 else None
    return dict(zip(names, (r, r_model, ratio, every), strict=True))


def majority(votes: Sequence[str]) -> str | None:
    """The label of more than half of the votes."""
    label, count = Counter(votes).most_common(1)[0] if votes else ("", 0)
    return label if count * 2 > len(votes) else None


def agreement(pairs: Sequence[tuple[float, float, Sequence[str]]]) -> Mapping[str, float | int | None]:
    """How often the difference of two rewards says what people say. pairs: two rewards and votes (A, B, N)."""
    told = [(round(r1 - r2, _PLACES), label) for r1, r2, votes in pairs if (label := majority(votes))]
    points = [(difference, LABELS[label]) for difference, label in told]
    right = [_sign(difference) == label for difference, label in points]
    untied = [hit for hit, (difference, _) in zip(right, points, strict=True) if difference]
    return {
        "n": len(points),
        "accuracy_ties_in": _mean(right),
        "accuracy_ties_out": _mean(untied),
        "tau_b": _tau_b(points),
    }


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def _tau_b(points: Sequence[tuple[float, int]]) -> float | None:
    """Kendall's tau-b; None where one side is all alike."""
    from scipy.stats import kendalltau  # takes long to import

    if len(points) < 2:
        return None
    value = float(kendalltau(*zip(*points, strict=True)).statistic)
    return value if math.isfinite(value) else None
