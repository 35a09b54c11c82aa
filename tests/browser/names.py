"""Names for what tests make in an installation that they share."""

from __future__ import annotations

from collections import Counter

_USE_COUNTS: Counter[str] = Counter()


def fresh(name: str) -> str:
    """This name; another one where it was given before, as to a test that is run once more after it failed."""
    _USE_COUNTS[name] += 1
    return name if _USE_COUNTS[name] == 1 else f"{name}-{_USE_COUNTS[name]}"
