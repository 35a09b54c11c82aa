"""Which of the places that a search returned is the one that was asked about: same kind, same name."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.suites.grouptravel.agent.facts.questions import Query
from benchmark.suites.grouptravel.agent.planning.wishes import spellings
from benchmark.text import guarded
from sandbox.toolsets.grouptravel.poi import PartialPlace, PartialPlaces

_BRANCH = guarded.compile(r"[(（][^()（）]*[)）]$")
_SHORTEST = 2


def rows_of(result: PartialPlaces) -> list[PartialPlace]:
    """The places of a result that have a name."""
    return [row for row in result.pois or () if row is not None and row.name]


def place_asked(result: PartialPlaces, query: Query, name: str = "") -> PartialPlace | None:
    """The place of that name (by default the query's subject), None where there is none of the kind asked about.

    A hotel named after a sight is not the sight, nor is a pier or a museum whose name begins with it.
    """
    wanted = name or query.subject
    rows = [row for row in rows_of(result) if _is_of_kind(row, query)]
    same = (row for row in rows if row.name == wanted)
    called = (row for row in rows if wanted and _shares_a_spelling(str(row.name), wanted, query.city))
    return next(same, None) or next(called, None)


def _is_of_kind(row: PartialPlace, query: Query) -> bool:
    return not query.kinds or not row.kind or row.kind in query.kinds


def _shares_a_spelling(name: str, wanted: str, city: str) -> bool:
    return bool(set(_spelt(name, city)) & set(_spelt(wanted, city)))


def _spelt(name: str, city: str) -> Iterator[str]:
    """A name with and without city, branch and title: 杭州西湖风景名胜区 is 西湖 too."""
    for text in (name, _BRANCH.sub("", name).strip()):
        yield from (one for one in spellings(text, city) if len(one) >= _SHORTEST)


def of_word(rows: list[PartialPlace], word: str) -> list[PartialPlace]:
    """The rows whose category or name is what was asked for, all where none is."""
    found = [row for row in rows if word and (word in str(row.category) or word in str(row.name))]
    return found or rows
