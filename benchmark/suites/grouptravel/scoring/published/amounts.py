"""Costs, budgets and caps, which may be written as texts."""

from __future__ import annotations

from math import inf
from typing import Any


def amount(cost: Any) -> float:
    """CNY: a text that is a number counts as that number, `true` as 1.

    What is empty, and what is no number (on which the published scorer fails), is 0. An integer that no float can
    hold is infinite.
    """
    try:
        return float(cost or 0)
    except OverflowError:
        return inf
    except (TypeError, ValueError):
        return 0.0


def budget_limit(value: Any) -> float | None:
    """A budget to compare with: any number but 0, negative ones too."""
    return value if isinstance(value, (int, float)) and value else None


def day_limit(value: Any) -> float | None:
    """A cap of a day to compare with: a missing, zero or negative one is no limit."""
    return value if isinstance(value, (int, float)) and value > 0 else None
