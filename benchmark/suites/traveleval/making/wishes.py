"""Wishes of growing difficulty (appendix C, sections III and IV): each level keeps those of the one before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from benchmark.suites.traveleval.making.core import Party
from benchmark.suites.traveleval.making.offer import BETWEEN_CITIES, Offer
from benchmark.suites.traveleval.tasks.query import Category, Tags
from benchmark.suites.traveleval.tasks.tags import REJECTABLE, TAG_SETS

Wishes = Mapping[Category, Tags]
_MOST = 2
_LEANING = 0.6
"""How often the first wish is one that children or seniors suggest."""
_FOR_CHILDREN: Final[Mapping[Category, str]] = {"attractions": "亲子友好", "accommodations": "家庭房"}
_SLOW: Final = "慢游"
_NOT_WITH_CHILDREN = {"酒吧/酒馆", "夜经济热点", "情侣房", "特种兵式", "骑行", "棋牌室", "电竞房", "电竞酒店"}
_NOT_WITH_SENIORS = {"特种兵式", "骑行", "情侣房", "电竞房", "电竞酒店"}


def medium_wishes(rng: Random, offer: Offer, party: Party) -> Wishes:
    """Preferences of one or two categories."""
    drawing = _Drawing(rng, offer, party)
    return {
        category: Tags(preferences=drawing.preferences(category))
        for category in drawing.categories(rng.randint(1, 2))
    }


def hard_wishes(rng: Random, offer: Offer, party: Party, medium: Wishes) -> Wishes:
    """Those of medium difficulty, and more: three or four categories, and something that is not wanted.

    Fewer categories where the destination offers no more.
    """
    drawing = _Drawing(rng, offer, party)
    more = rng.randint(3, 4) - len(medium)
    wishes = dict(medium)
    added = drawing.categories(more, medium)
    for category in added:
        wishes[category] = Tags(preferences=drawing.preferences(category))
    for category in rng.sample([*wishes], rng.randint(1, 2)):
        kept = () if category in added and rng.random() < 0.5 else wishes[category].preferences
        if rejected := drawing.constraints(category, kept):
            wishes[category] = Tags(preferences=kept, constraints=rejected)
    return wishes if any(own.constraints for own in wishes.values()) else _with_rejected_meal(drawing, wishes)


def _with_rejected_meal(drawing: _Drawing, wishes: dict[Category, Tags]) -> Wishes:
    """One category always has something to reject."""
    category = next((name for name in wishes if name in ("diet", "attractions", "rhythm")), [*wishes][-1])
    kept = wishes[category].preferences
    return {**wishes, category: Tags(preferences=kept, constraints=drawing.constraints(category, kept))}


class _Drawing:
    def __init__(self, rng: Random, offer: Offer, party: Party) -> None:
        self._rng = rng
        self._unfit = (_NOT_WITH_CHILDREN if party.children else set()) | (
            _NOT_WITH_SENIORS if party.seniors else set()
        )
        self._offer = {
            category: [tag for tag in tags if tag not in self._unfit]
            for category, tags in offer.items()
            if tags
        }
        suggested: dict[Category, str] = {**_FOR_CHILDREN} if party.children else {}
        if party.seniors:
            suggested["rhythm"] = _SLOW
        self._hints = {c: tag for c, tag in suggested.items() if tag in self._offer.get(c, ())}

    def categories(self, count: int, taken: Wishes | None = None) -> list[Category]:
        """Some of which nothing is said, in the published order; the suggested ones more often."""
        left = [
            category for category in self._offer if self._offer[category] and category not in (taken or ())
        ]
        leaning = [category for category in left if category in self._hints]
        first = [self._rng.choice(leaning)] if leaning and self._rng.random() < _LEANING else []
        rest = [category for category in left if category not in first]
        chosen = {*first, *self._rng.sample(rest, min(count - len(first), len(rest)))}
        return [category for category in self._offer if category in chosen]

    def preferences(self, category: Category) -> tuple[str, ...]:
        tags = self._offer[category]
        if category == "rhythm":
            return (self._hints.get(category) or self._rng.choice(tags),)
        drawn = self._rng.sample(tags, min(self._rng.randint(1, _MOST), len(tags)))
        if (hint := self._hints.get(category)) and hint not in drawn:
            drawn[0] = hint
        if category == "transportation":
            drawn = drawn if len({tag in BETWEEN_CITIES for tag in drawn}) == len(drawn) else drawn[:1]
        return tuple(drawn)

    def constraints(self, category: Category, kept: Sequence[str]) -> tuple[str, ...]:
        """One or two of all tags of a category: of those between cities and of rhythms one must be left."""
        if category == "rhythm" and kept:
            return tuple(tag for tag in TAG_SETS[category] if tag not in kept)
        tags = [tag for tag in TAG_SETS[category] if tag in REJECTABLE and tag not in kept]
        tags = [tag for tag in tags if tag != self._hints.get(category)]
        if category == "transportation":
            fast = [tag for tag in BETWEEN_CITIES if tag in self._offer[category]]
            tags = [tag for tag in tags if tag not in BETWEEN_CITIES or (len(fast) > 1 and tag not in kept)]
        most = 1 if category in ("rhythm", "transportation") else _MOST
        return tuple(self._rng.sample(tags, min(self._rng.randint(1, most), len(tags))))
