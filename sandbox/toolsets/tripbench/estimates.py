"""How long a way takes, by its length alone."""

from __future__ import annotations

BASE_MINUTES, MINUTES_A_KM = 10.0, 2.0


def way_minutes(km: float, base: float = BASE_MINUTES, a_km: float = MINUTES_A_KM) -> int:
    """The estimate of a way of so many kilometres, halves rounded up."""
    return int(base + a_km * km + 0.5)
