"""What a category appeals by, and how likely people are to avoid it (data/tastes.json)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from statistics import fmean
from typing import Any, Literal

import orjson

from benchmark.suites.grouptravel.synthesis.archetypes import DATA
from benchmark.suites.grouptravel.synthesis.cities import province_code
from benchmark.suites.grouptravel.synthesis.profiles import Profile

Kind = Literal["attraction", "food"]
_DATA: dict[str, Any] = orjson.loads((DATA / "tastes.json").read_bytes())
SETTINGS: Mapping[str, float] = _DATA["settings"]
HARMONY: Mapping[float, float] = {float(factor): share for factor, share in _DATA["harmony"].items()}
"""Shares of groups by the factor of `Company.harmony`."""
CONTRASTS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = tuple(
    (tuple(words), tuple(others)) for words, others in _DATA["apart"]
)
"""Pairs of lists of words: who wants food of the one hardly wants any of the other."""

AKIN: tuple[tuple[str, ...], ...] = tuple(map(tuple, _DATA["akin"]))
"""Lists of words of kinds of sights: who likes one hardly shuns another. No published user does."""


@cache
def topics(kind: Kind, category: str) -> tuple[str, ...]:
    """The interests or flavours that a category touches; none where no word of it is known."""
    words: dict[str, list[str]] = _DATA[f"{kind}_topics"]
    return tuple(topic for topic, parts in words.items() if any(part in category for part in parts))


def taste(profile: Profile, kind: Kind, category: str) -> float:
    """How much a category appeals to somebody, from 0 to 1."""
    topics_of_place = topics(kind, category)
    return fmean([profile.score(topic) for topic in topics_of_place]) if topics_of_place else 0.5


@cache
def avoidance_rate(kind: Kind, category: str) -> float:
    """How often a category is what people avoid, beside others of its kind."""
    what = "attractions" if kind == "attraction" else "foods"
    words: dict[str, float] = _DATA["avoided"][what]
    weights = [weight for part, weight in words.items() if part in category]
    return max(weights, default=_DATA["avoided"][f"others_{what}"])


@cache
def wish_rate(category: str) -> float:
    """How often one asks for food of a category, beside others."""
    held: float = _longest(_DATA["wished"]["foods"], category, _DATA["wished"]["others_foods"])
    return held


def suits(profile: Profile, kind: Kind, category: str, with_children: bool) -> float:
    """By what liking a category is multiplied at that age, and with children along."""
    worth = 1.0
    for part, ages in _DATA["ages"]["foods" if kind == "food" else "attractions"].items():
        if part in category:
            low, high = ages["years"]
            beyond = ages.get("beyond", SETTINGS["beyond_age"])
            worth *= 1.0 if low <= profile.age <= high else beyond
            worth *= ages.get("with_children", 1.0) if with_children else 1.0
    return worth


def befits(tags: Sequence[str], kind: Kind, category: str) -> float:
    """By what liking a category is multiplied in a group with these (Chinese) tags."""
    worth = 1.0
    for tag in tags:
        words = _DATA["groups"].get(tag)
        if isinstance(words, dict):
            worth *= _longest(words["foods" if kind == "food" else "attractions"], category, 1.0)
    return worth


def _longest(words: Mapping[str, float], category: str, otherwise: float) -> float:
    held = [word for word in words if word in category]
    return words[max(held, key=len)] if held else otherwise


# Kitchens of places.


def local_to(city: str, category: str) -> bool:
    """Whether food of a category is what is cooked in a city or its province."""
    return any(word in category for word in (*_own(city), *_of_province(city)))


def home_of(city: str, category: str) -> bool:
    """Whether food of a category is what people of a city eat at home: nobody travels for that."""
    return any(word in category for word in (*_own(city), *_of_province(city)[:1]))


def belongs_to(city: str, category: str) -> bool:
    """Whether food of a category is a city's own, beyond its province's."""
    return any(word in category for word in _own(city))


@cache
def one_kitchen(one: str, other: str) -> bool:
    """Whether food is of one kitchen: the same, or a province's best known and a branch of it (江浙菜, 苏帮菜)."""
    provinces: Mapping[str, Sequence[str]] = _DATA["cuisines"]["provinces"]
    pairs = ((one, other), (other, one))
    return one == other or any(
        head in whole and any(branch in part for branch in branches)
        for head, *branches in provinces.values()
        for whole, part in pairs
    )


def much_alike(one: str, other: str) -> bool:
    """Whether kinds of sights are the same, or so much alike that nobody likes the one and shuns the other."""
    families = [family for family in AKIN if any(word in one for word in family)]
    return one == other or any(word in other for family in families for word in family)


def _own(city: str) -> Sequence[str]:
    cuisines: Sequence[str] = _DATA["cuisines"]["cities"].get(city, ())
    return cuisines


def _of_province(city: str) -> Sequence[str]:
    cuisines: Sequence[str] = _DATA["cuisines"]["provinces"].get(province_code(city), ())
    return cuisines
