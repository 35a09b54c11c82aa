"""Rule 6: all trials count."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean


def over_all_trials(values: Sequence[float | None]) -> float:
    """The mean of one figure over every trial of a task; one without it, such as one that crashed, scores 0."""
    return fmean([value or 0.0 for value in values]) if values else 0.0
