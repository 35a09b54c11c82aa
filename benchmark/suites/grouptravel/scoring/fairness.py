"""Group fairness (GF): how near the least satisfied traveller is to the most satisfied one."""

from __future__ import annotations

from collections.abc import Collection


def fairness(scores: Collection[float]) -> float:
    """0 to 100 over the users' utilities without the split penalty, rounded to 2 places; 100 when nobody differs.

    100·min/max when somebody gains and nobody loses; 0 when one gains and another loses; 100·max/min when nobody
    gains (GroupTravelBench, section 4), which is -0.0, as published, where the best off come out at 0.
    """
    if not scores:
        return 100.0
    low, high = min(scores), max(scores)
    if low == high:
        return 100.0
    if high > 0:
        return round(100 * low / high, 2) if low >= 0 else 0.0
    return round(100 * high / low, 2)
