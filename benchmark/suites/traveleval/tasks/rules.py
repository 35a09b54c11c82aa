"""Where a query breaks the rules by which queries are made (appendices A.1 and C); files come in as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from benchmark.suites.traveleval.tasks.query import Query
from benchmark.suites.traveleval.tasks.tags import TAG_SETS

DAYS, _PEOPLE = range(2, 8), range(1, 7)
_STEP, _LARGE_STEP, _LARGE = 500, 2000, 10_000
_MOST_CHILDREN, _MOST_SENIORS = 3, 2
_CATEGORIES: Final = {"easy": range(1), "medium": range(1, 3), "hard": range(3, 5)}
_MOST_PREFERENCES = 2


def _rounds_budget(query: Query) -> bool:
    return query.budget % (_STEP if query.budget < _LARGE else _LARGE_STEP) == 0


def _adds_up(query: Query) -> bool:
    people = query.people_composition
    return people.adults + people.children + people.seniors == query.people_number


def _is_a_party(query: Query) -> bool:
    people = query.people_composition
    fits = people.children <= _MOST_CHILDREN and people.seniors <= _MOST_SENIORS
    return query.people_number in _PEOPLE and people.adults >= 1 and fits


def _lasts_as_told(query: Query) -> bool:
    return query.days in DAYS and (query.last_day - query.first_day).days + 1 == query.days


def _has_categories(query: Query) -> bool:
    return len(query.tags) in _CATEGORIES[query.tag]


def _has_tags_of_level(query: Query) -> bool:
    wishes = query.tags.values()
    rejected = sum(len(own.constraints) for own in wishes)
    if query.tag == "medium":
        return not rejected and all(len(own.preferences) <= _MOST_PREFERENCES for own in wishes)
    return query.tag == "easy" or rejected > 0


def _has_known_tags(query: Query) -> bool:
    return all(
        {*own.preferences, *own.constraints} <= {*TAG_SETS[category]} for category, own in query.tags.items()
    )


RULES: Final[Mapping[str, Callable[[Query], bool]]] = {
    "rounding": _rounds_budget,
    "composition": _adds_up,
    "party": _is_a_party,
    "days": _lasts_as_told,
    "cities": lambda query: query.start_city != query.target_city,
    "categories": _has_categories,
    "tags": _has_tags_of_level,
    "known_tags": _has_known_tags,
}
"""What holds of a query that keeps the rule of this name."""


def broken_rules(query: Query) -> Iterator[str]:
    """The names of the rules that a query breaks."""
    return (name for name, keeps in RULES.items() if not keeps(query))
