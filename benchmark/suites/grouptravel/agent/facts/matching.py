"""Which of the places that a search returned is the one that was asked about: same kind, same name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchmark.suites.grouptravel.agent.facts.questions import Query
from benchmark.suites.grouptravel.agent.planning.wishes import spellings
from benchmark.text import guarded

_BRANCH = guarded.compile(r"[(（][^()（）]*[)）]$")
_SHORTEST = 2
Row = Mapping[str, Any]


def rows_of(result: Mapping[str, Any]) -> list[Row]:
    """The places of a result that have a name."""
    rows = result.get("pois")
    return (
        [row for row in rows if isinstance(row, dict) and row.get("name")] if isinstance(rows, list) else []
    )


def place_asked(result: Mapping[str, Any], query: Query, name: str = "") -> Row | None:
    """The place of that name (by default the query's subject), None where there is none of the kind asked about.

    A hotel named after a sight is not the sight, nor is a pier or a museum whose name begins with it.
    """
    wanted = name or query.subject
    rows = [row for row in rows_of(result) if _is_of_kind(row, query)]
    same = (row for row in rows if row["name"] == wanted)
    called = (row for row in rows if wanted and _shares_a_spelling(str(row["name"]), wanted, query.city))
    return next(same, None) or next(called, None)


def _is_of_kind(row: Row, query: Query) -> bool:
    return not query.kinds or not row.get("kind") or row["kind"] in query.kinds


def _shares_a_spelling(name: str, wanted: str, city: str) -> bool:
    return bool(set(_spelt(name, city)) & set(_spelt(wanted, city)))


def _spelt(name: str, city: str) -> Iterator[str]:
    """A name with and without city, branch and title: 杭州西湖风景名胜区 is 西湖 too."""
    for text in (name, _BRANCH.sub("", name).strip()):
        yield from (one for one in spellings(text, city) if len(one) >= _SHORTEST)


def of_word(rows: list[Row], word: str) -> list[Row]:
    """The rows whose category or name is what was asked for, all where none is."""
    found = [row for row in rows if word and (word in str(row.get("category")) or word in str(row["name"]))]
    return found or rows
