"""Names for what tests make in an installation that they share."""

from __future__ import annotations

from collections import Counter

_ASKED: Counter[str] = Counter()


def fresh(name: str) -> str:
    """This name; another one where it was given before, as to a test that is run once more after it failed."""
    _ASKED[name] += 1
    return name if _ASKED[name] == 1 else f"{name}-{_ASKED[name]}"
