"""What a category appeals by, and how likely people are to avoid it (data/tastes.json)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from statistics import fmean
from typing import Any, Literal

import orjson

from benchmark.suites.grouptravel.synthesis.archetypes import DATA
from benchmark.suites.grouptravel.synthesis.profiles import Profile

Kind = Literal["attraction", "food"]
_DATA: dict[str, Any] = orjson.loads((DATA / "tastes.json").read_bytes())
SETTINGS: Mapping[str, float] = _DATA["settings"]
HARMONY: Mapping[float, float] = {float(factor): share for factor, share in _DATA["harmony"].items()}
"""Shares of groups by the factor of `Company.harmony`."""
APART: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = tuple(
    (tuple(one), tuple(others)) for one, others in _DATA["apart"]
)
"""Pairs of lists of words: who wants food of the one hardly wants any of the other."""


@cache
def topics(kind: Kind, category: str) -> tuple[str, ...]:
    """The interests or flavours that a category touches; none where no word of it is known."""
    words: dict[str, list[str]] = _DATA[f"{kind}_topics"]
    return tuple(topic for topic, parts in words.items() if any(part in category for part in parts))


def taste(profile: Profile, kind: Kind, category: str) -> float:
    """How much a category appeals to somebody, from 0 to 1."""
    found = topics(kind, category)
    return fmean([profile.score(topic) for topic in found]) if found else 0.5


@cache
def avoided(kind: Kind, category: str) -> float:
    """How often a category is what people avoid, beside others of its kind."""
    what = "attractions" if kind == "attraction" else "foods"
    words: dict[str, float] = _DATA["avoided"][what]
    found = [weight for part, weight in words.items() if part in category]
    return max(found, default=_DATA["avoided"][f"others_{what}"])


def suits(profile: Profile, kind: Kind, category: str, with_children: bool) -> float:
    """By what liking a category is multiplied at that age, and with children along."""
    worth = 1.0
    for part, ages in _DATA["ages"]["foods" if kind == "food" else "attractions"].items():
        if part in category:
            low, high = ages["years"]
            worth *= 1.0 if low <= profile.age <= high else SETTINGS["beyond_age"]
            worth *= ages.get("with_children", 1.0) if with_children else 1.0
    return worth
