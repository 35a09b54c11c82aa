"""What the others of a group want and don't want, and how much somebody minds: some groups agree, others quarrel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from benchmark.suites.grouptravel.preferences import Topic, filled
from benchmark.suites.grouptravel.synthesis.draws import dice, pick
from benchmark.suites.grouptravel.synthesis.tastes import HARMONY

Wish = tuple[Topic, str, str]
"""Topic, city ("" for the whole trip) and item."""


class Company(NamedTuple):
    """Those whose tables are written already.

    harmony: by what the weight of an item is multiplied that would clash with one of theirs: below 1 for a group that
    agrees, above 1 for one that quarrels.
    """

    liked: frozenset[Wish]
    shunned: frozenset[Wish]
    harmony: float

    @classmethod
    def of(cls, tables: Iterable[Mapping[str, Any]], harmony: float) -> Company:
        """The company that these tables make."""
        liked, shunned = set[Wish](), set[Wish]()
        for table in tables:
            for field, city, value in filled(table):
                if isinstance(value, list):
                    (liked if field.positive else shunned).update((field.topic, city, item) for item in value)
        return cls(frozenset(liked), frozenset(shunned), harmony)

    def spares(self, topic: Topic, city: str, item: str) -> float:
        """The factor of something that one would like."""
        return self.harmony if (topic, city, item) in self.shunned else 1.0

    def allows(self, topic: Topic, city: str, item: str) -> float:
        """The factor of something that one would not like."""
        return self.harmony if (topic, city, item) in self.liked else 1.0


NOBODY = Company(frozenset(), frozenset(), 1.0)


def draw_harmony(*key: object) -> float:
    """How well a group gets along, for all its members."""
    return pick(dice(*key, "harmony"), HARMONY)
