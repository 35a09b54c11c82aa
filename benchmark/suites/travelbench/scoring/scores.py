"""The figures of one judged run: normalised, with the penalty for tool errors, and weighted by the meta-judge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmark.suites.travelbench.scoring.asking import Judgement

Columns = dict[str, float | None]
"""`DIMENSION_score` for each dimension, None for one without a rating, and `average_score`."""
AVERAGE = "average_score"
HIGHEST = 5


def column(dimension: str) -> str:
    """The name of a dimension's column."""
    return f"{dimension}_score"


def error_rate(record: Mapping[str, Any]) -> float:
    """Tool errors a call, 0 for a run without calls; one less this is the penalty (equation 5).

    record: `tool_calls_count` and `tool_errors`, missing or null for none. It may count more errors than calls.
    """
    calls, errors = record.get("tool_calls_count") or 0, record.get("tool_errors") or 0
    return errors / calls if calls > 0 else 0


def normalise(rating: float) -> float:
    """n = 100 · (r - 1) / 4, from 1 to 5 to 0 to 100 (equation 3), with the operations in the published order."""
    return (rating - 1) / 4 * 100


def run_scores(judged: Judgement, rate: float, meta: int | None) -> dict[str, Any]:
    """All columns of a run, unrounded (equations 3 to 6): 1 to 5, 0 to 100, less tool errors, and times meta / 5.

    rate: tool errors a call. meta: 1 to 5, None where nobody has rated the judgement; it weighs nothing then.
    """
    raw: Columns = {column(name): rating for name, rating in judged.ratings.items()}
    raw[AVERAGE] = judged.mean
    hundred = _each(raw, normalise)
    penalised = _each(hundred, lambda value: value * (1 - rate))
    final = penalised if meta is None else _each(penalised, lambda value: value * (meta / HIGHEST))
    return {
        "scores": raw,
        "normalized_scores": hundred,
        "tool_error_rate": rate,
        "penalized_scores": penalised,
        "meta_score": meta,
        "final_scores": dict(final),
    }


def _each(columns: Columns, change: Any) -> Columns:
    return {name: None if value is None else change(value) for name, value in columns.items()}
