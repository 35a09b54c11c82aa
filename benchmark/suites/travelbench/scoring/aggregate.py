"""From judged runs to the figures of a subset, and from the subsets to the overall score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

from benchmark.suites.travelbench.modes import DIMENSIONS, Mode
from benchmark.suites.travelbench.scoring.scores import AVERAGE, HIGHEST, column

Evaluation = Mapping[str, Any]
"""What `run_scores` gives of one run."""
_MEANS = {
    "average_scores": "scores",
    "average_scores_100": "normalized_scores",
    "penalized_average_scores_100": "penalized_scores",
    "final_average_scores_100": "final_scores",
}
_PLACES = 2
OVERALL = "overall_average"
_BINS: tuple[tuple[str, Callable[[float], bool]], ...] = (
    ("0%", lambda rate: rate == 0),
    ("0-25%", lambda rate: 0 < rate <= 0.25),
    ("25-50%", lambda rate: 0.25 < rate <= 0.5),
    ("50-75%", lambda rate: 0.5 < rate <= 0.75),
    ("75-100%", lambda rate: 0.75 < rate <= 1),
)
"""A rate above 1, which a record may have, is in none."""


def statistics_of(mode: Mode, items: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The figures of a subset under `published`: all judged runs pooled, those without a judgement dropped.

    items: `evaluation` of each run (`run_scores`, or None), with its `cache_hits` and `cache_misses`. Means are of 1
    to 5 and of 0 to 100 as their names say, rates are shares of 1, the hit rate is in per cent. Nothing judged gives
    empty figures.
    """
    judged = [item for item in items if _is_judged(item)]
    evaluations = [item["evaluation"] for item in judged]
    head = {
        "total_trajectories": len(items),
        "valid_evaluations": len(judged),
        "mode": mode.replace("_", "-") if items else "unknown",
        "dimensions": [*DIMENSIONS[mode]],
    }
    if not judged:
        empty = (*_MEANS, "rating_distribution", "tool_error_statistics")
        return head | {name: {} for name in (*empty, "cache_statistics", "meta_judge_statistics")}
    return {
        **head,
        **{name: _means(mode, evaluations, columns) for name, columns in _MEANS.items()},
        "rating_distribution": {name: _ratings(evaluations, name) for name in DIMENSIONS[mode]},
        "tool_error_statistics": _errors([evaluation["tool_error_rate"] for evaluation in evaluations]),
        "cache_statistics": _cache(judged),
        "meta_judge_statistics": _meta(evaluations),
    }


def _is_judged(item: Mapping[str, Any]) -> bool:
    evaluation: Evaluation = item.get("evaluation") or {}
    scores = evaluation.get("scores")
    return bool(scores and scores.get(AVERAGE) is not None)


def _means(mode: Mode, evaluations: Sequence[Evaluation], columns: str) -> dict[str, float]:
    """Over the runs that have the dimension; the final average is that of the dimensions' means."""
    means = {name: _mean(evaluations, columns, column(name)) for name in DIMENSIONS[mode]}
    of_dimensions = columns == "final_scores"
    overall = fmean(means.values()) if of_dimensions else _mean(evaluations, columns, AVERAGE)
    return {**means, OVERALL: overall}


def _mean(evaluations: Sequence[Evaluation], columns: str, name: str) -> float:
    values = [value for evaluation in evaluations if (value := evaluation[columns].get(name)) is not None]
    return fmean(values) if values else 0.0


def _ratings(evaluations: Sequence[Evaluation], dimension: str) -> dict[str, int]:
    return _counts(evaluation["scores"].get(column(dimension)) for evaluation in evaluations)


def _counts(ratings: Iterable[int | None]) -> dict[str, int]:
    counted = Counter(ratings)
    return {str(rating): counted[rating] for rating in range(1, HIGHEST + 1)}


def _errors(rates: Sequence[float]) -> dict[str, Any]:
    return {
        "average_tool_error_rate": fmean(rates),
        "total_samples_with_errors": sum(rate > 0 for rate in rates),
        "error_rate_distribution": {name: sum(map(holds, rates)) for name, holds in _BINS},
    }


def _cache(items: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    hits, misses = (sum(item.get(name) or 0 for item in items) for name in ("cache_hits", "cache_misses"))
    return {
        "total_cache_hits": hits,
        "total_cache_misses": misses,
        "total_cache_requests": hits + misses,
        "cache_hit_rate_percentage": hits / (hits + misses) * 100 if hits + misses else 0,
        "average_cache_hits_per_sample": hits / len(items),
        "average_cache_misses_per_sample": misses / len(items),
    }


def _meta(evaluations: Sequence[Evaluation]) -> dict[str, Any]:
    given = [
        evaluation["meta_score"] for evaluation in evaluations if evaluation.get("meta_score") is not None
    ]
    if not given:
        return {"enabled": False}
    return {
        "enabled": True,
        "total_meta_evaluations": len(given),
        "average_meta_score": fmean(given),
        "meta_score_distribution": _counts(given),
    }


# The three subsets together.


def rounded_overall(subsets: Sequence[float]) -> float:
    """`published`: the mean of the subset scores, 0 to 100; each is rounded to two places before, and the mean too.

    Raises:
        ZeroDivisionError: there is none.
    """
    return round(sum(round(score, _PLACES) for score in subsets) / len(subsets), _PLACES)


def exact_overall(subsets: Sequence[float]) -> float:
    """`paper`: the mean of the subset scores as they are, 0 to 100 (section 4). Raises StatisticsError for none."""
    return fmean(subsets)
