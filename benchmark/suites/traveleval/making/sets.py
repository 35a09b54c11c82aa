"""Sets of queries: days and classes in the paper's proportions, then each query by a seed of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby
from random import Random
from typing import Any, Final, Literal, NamedTuple

from benchmark.suites.traveleval.making.core import Core, draw_core, ways_of
from benchmark.suites.traveleval.making.offer import offer_of
from benchmark.suites.traveleval.making.wishes import Wishes, hard_wishes, medium_wishes
from benchmark.suites.traveleval.making.words import words_of
from benchmark.suites.traveleval.statistics import GROUPS, PAPER_DAYS
from benchmark.suites.traveleval.tasks.query import CATEGORIES, BudgetClass, Level, Query
from benchmark.suites.traveleval.tasks.rules import DAYS as LENGTHS
from benchmark.suites.traveleval.world import Tables

Day = int
DAYS: Final[Mapping[str, Mapping[Day, int]]] = {
    ("groups" if level == GROUPS else level): dict(zip(LENGTHS, counts, strict=True))
    for level, counts in PAPER_DAYS.items()
}
"""How many queries of each length the paper has (Table A1)."""
LEVELS: Final[tuple[Level, ...]] = ("easy", "medium", "hard")
_CLASSES: Final[tuple[BudgetClass, ...]] = ("economy", "medium", "high")


class QueryOrder(NamedTuple):
    """What is made. easy, medium, hard: queries alone; groups: of three. first, last: days on which a journey may
    start. english: every so many queries or groups are in English alone, 0 for none. prefix: before each uid. length,
    budget: days and class of all queries, 0 and "" for the paper's proportions.
    """

    easy: int = 0
    medium: int = 0
    hard: int = 0
    groups: int = 0
    seed: int = 0
    first: date = date(2025, 1, 1)
    last: date = date(2025, 12, 20)
    english: int = 0
    prefix: str = ""
    length: Day = 0
    budget: BudgetClass | Literal[""] = ""

    @property
    def total(self) -> int:
        """How many queries it asks for."""
        return self.easy + self.medium + self.hard + self.groups * len(LEVELS)


def made_queries(tables: Tables, order: QueryOrder) -> Iterator[dict[str, Any]]:
    """The queries of an order in the published format, those alone first. Raises ValueError: none can be made."""
    ways = ways_of(tables)
    if not ways:
        raise ValueError("no two cities of the world have sights, meals, beds, and services there and back")
    if order.last < order.first:
        raise ValueError(
            f"journeys can't start from {order.first} to {order.last}: give the earlier day first"
        )
    number = 0
    for kind in (*LEVELS, "groups"):
        count = getattr(order, kind)
        lengths, classes = _lengths_of(order, kind), _classes_of(order, kind)
        for place in range(count):
            number += 1
            name = f"G{place + 1:02}" if kind == "groups" else f"T{number:04}"
            rng = Random(f"{order.seed}/{name}")
            core = draw_core(rng, ways, lengths[place], classes[place], (order.first, order.last))
            wishes = _wishes_by_level(rng, tables, core)
            for level in LEVELS if kind == "groups" else (level for level in LEVELS if level == kind):
                uid = f"{order.prefix}{name}" + (f"-{LEVELS.index(level) + 1}" if kind == "groups" else "")
                english = order.english > 0 and number % order.english == 0
                yield _query(uid, level, core, wishes[level], english, f"{order.seed}/{name}")


def _lengths_of(order: QueryOrder, kind: str) -> list[Day]:
    count = getattr(order, kind)
    rng = Random(f"{order.seed}/{kind}/days")
    return [order.length] * count if order.length else _lengths(rng, DAYS[kind], count)


def _classes_of(order: QueryOrder, kind: str) -> list[BudgetClass]:
    count = getattr(order, kind)
    rng = Random(f"{order.seed}/{kind}/classes")
    return [order.budget] * count if order.budget else _classes(rng, count, kind in ("hard", "groups"))


def _lengths(rng: Random, shares: Mapping[Day, int], count: int) -> list[Day]:
    """Days of each query, in the paper's proportion, shuffled."""
    whole = sum(shares.values())
    ends = [round(count * sum(list(shares.values())[: n + 1]) / whole) for n in range(len(shares))]
    lengths = [
        days for days, begin, end in zip(shares, [0, *ends], ends, strict=False) for _ in range(end - begin)
    ]
    rng.shuffle(lengths)
    return lengths


def _classes(rng: Random, count: int, half_economy: bool) -> list[BudgetClass]:
    drawn = [_CLASSES[n % 2 and 1 + n // 2 % 2] if half_economy else _CLASSES[n % 3] for n in range(count)]
    rng.shuffle(drawn)
    return drawn


def _wishes_by_level(rng: Random, tables: Tables, core: Core) -> Mapping[str, Wishes]:
    offer = offer_of(tables, *core.way)
    medium = medium_wishes(rng, offer, core.party)
    return {"easy": {}, "medium": medium, "hard": hard_wishes(rng, offer, core.party, medium)}


def _query(uid: str, level: Level, core: Core, wishes: Wishes, english: bool, seed: str) -> dict[str, Any]:
    ordered = {name: wishes[name] for name in CATEGORIES if name in wishes}
    tags = {name: _lists(own.preferences, own.constraints) for name, own in ordered.items()}
    chinese = "" if english else words_of(Random(f"{seed}/zh"), core, ordered, "zh")
    return {
        "uid": uid,
        "tag": level,
        **core.as_fields(),
        **{name: tags.get(name, {}) for name in CATEGORIES},
        "nature_language": chinese,
        "nature_language_en": words_of(Random(f"{seed}/en"), core, ordered, "en"),
    }


def _lists(preferences: Sequence[str], constraints: Sequence[str]) -> dict[str, list[str]]:
    return {"preferences": [*preferences], "constraints": [*constraints]}


# Samples.


def stratified_sample(queries: Sequence[Query], count: int, seed: int) -> list[Query]:
    """Some queries in their order: of each difficulty and number of days its share, the remainders largest first.

    Raises ValueError: there are not so many.
    """
    if not 1 <= count <= len(queries):
        raise ValueError(f"{count} queries can't be drawn from {len(queries)}; ask for 1 to {len(queries)}")
    stratum: Callable[[Query], tuple[str, int]] = lambda query: (query.tag, query.days)  # noqa: E731
    strata = {key: [*own] for key, own in groupby(sorted(queries, key=stratum), key=stratum)}
    exact = {key: count * len(own) / len(queries) for key, own in strata.items()}
    quotas = {key: int(share) for key, share in exact.items()}
    left = sorted(exact, key=lambda key: quotas[key] - exact[key])
    for key in left[: count - sum(quotas.values())]:
        quotas[key] += 1
    drawn = {q.uid for key, own in strata.items() for q in Random(f"{seed}/{key}").sample(own, quotas[key])}
    return [query for query in queries if query.uid in drawn]
