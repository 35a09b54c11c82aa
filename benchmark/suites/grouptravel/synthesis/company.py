"""What the others of a group want and don't want, and how much somebody minds: some groups agree, others quarrel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from benchmark.suites.grouptravel.preferences import FIELD, Topic, filled_fields, read
from benchmark.suites.grouptravel.synthesis.draws import dice, pick
from benchmark.suites.grouptravel.synthesis.tastes import HARMONY

Wish = tuple[Topic, str, str]
"""Topic, city ("" for the whole trip) and item."""


class Company(NamedTuple):
    """Those whose tables are written already.

    musts, refusals: modes of travel that somebody must have, or never takes. purses: the budgets of those of one
    household. harmony: by what the weight of an item is multiplied that would clash with one of theirs: below 1 for a
    group that agrees, above 1 for one that quarrels.
    """

    likes: frozenset[Wish]
    dislikes: frozenset[Wish]
    harmony: float
    musts: frozenset[str] = frozenset()
    refusals: frozenset[str] = frozenset()
    purses: tuple[int, ...] = ()

    @classmethod
    def of(cls, tables: Iterable[Mapping[str, Any]], harmony: float, purses: Iterable[int] = ()) -> Company:
        """The company that these tables make."""
        tables = list(tables)
        liked, shunned = set[Wish](), set[Wish]()
        for table in tables:
            for field, city, value in filled_fields(table):
                if isinstance(value, list):
                    (liked if field.positive else shunned).update((field.topic, city, item) for item in value)
        modes = {tier: _modes(tables, tier) for tier in ("must", "reject")}
        return cls(
            frozenset(liked), frozenset(shunned), harmony, modes["must"], modes["reject"], tuple(purses)
        )

    def spares(self, topic: Topic, city: str, item: str, clash: float = 1.0) -> float:
        """The factor of something that one would like. clash: a further one where it clashes."""
        return self.harmony * clash if (topic, city, item) in self.dislikes else 1.0

    def allows(self, topic: Topic, city: str, item: str, clash: float = 1.0) -> float:
        """The factor of something that one would not like."""
        return self.harmony * clash if (topic, city, item) in self.likes else 1.0


def _modes(tables: Iterable[Mapping[str, Any]], tier: str) -> frozenset[str]:
    field = FIELD[f"transport.{tier}"]
    return frozenset(mode for table in tables for mode in read(table, field) or ())


def draw_harmony(*key: object) -> float:
    """How well a group gets along, for all its members."""
    return pick(dice(*key, "harmony"), HARMONY)
