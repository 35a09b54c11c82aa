"""The page of the search."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise

from benchmark.suites import DEFAULT_SUITE
from benchmark.text.search_query import PARTS, Part, Piece, SearchQuery, parse
from webapp.accounts.access import researchers_only
from webapp.sessions.models import Session
from webapp.tables.finding import MOST_COUNTED, Saying, SessionHits, hits, newest_first, saying, unread_count
from webapp.tables.forms import SearchForm
from webapp.tables.models import SessionSearchIndex
from webapp.tables.query_words import PART_LABELS

PAGE = 20
HITS_SHOWN = 3
"""Of a session."""


class QueryChip(NamedTuple):
    """A piece of a query, and the query without it."""

    words: str
    query: str


class PartLink(NamedTuple):
    """A part that can be searched, and the query that searches it too, or no longer."""

    label: str | Promise
    is_searched: bool
    query: str


class FoundSession(NamedTuple):
    """A session that is found, with its hits."""

    session: Session
    hits: SessionHits | None


@researchers_only
def search(request: HttpRequest) -> HttpResponse:
    """Sessions that a query finds, the newest first, with the places that it hits."""
    form = SearchForm(request.GET)
    query = parse(form.cleaned_data["q"]) if form.is_valid() else SearchQuery()
    context: dict[str, Any] = {
        "form": form,
        "query": query,
        "counted": MOST_COUNTED,
        "example_suite": DEFAULT_SUITE,
    }
    if form.is_valid() and query.pieces:
        before = form.cleaned_data["before"]
        context |= _page_context(query, saying(query, before=before), before)
    context |= {"chips": list(_chips(query)), "parts": list(_part_links(query)), "unread": unread_count()}
    return render(request, "tables/search.html", context)


def _page_context(query: SearchQuery, said: Saying, before: int | None) -> dict[str, Any]:
    """A page of what is found. before: only rows with a lower key."""
    rows = SessionSearchIndex.objects.all() if said.rows is None else said.rows
    if said.rows is None:
        rows = rows.filter(session__in=said.searched_ids[: PAGE + 1])
    elif before is not None:
        rows = rows.filter(pk__lt=before)
    keys = list(newest_first(rows).values_list("pk", "session")[: PAGE + 1])
    shown = [pk for _key, pk in keys[:PAGE]]
    found = hits(said.plan, shown, HITS_SHOWN)
    sessions = Session.objects.select_related("task", "run").defer("task__definition").in_bulk(shown)
    after = keys[PAGE - 1][0] if len(keys) > PAGE else None
    return {
        "said": said,
        "rows": [FoundSession(sessions[pk], found.get(pk)) for pk in shown if pk in sessions],
        "begun": before is not None,
        "next": _address(query, after) if after else "",
        "further": _address(query, said.last) if said.last and not after else "",
        "total": said.hit_count if said.hit_count <= MOST_COUNTED else None,
    }


def _address(query: SearchQuery, before: int | None = None) -> str:
    return "?" + urlencode({"q": str(query), **({"before": before} if before else {})})


def _chips(query: SearchQuery) -> Iterator[QueryChip]:
    for piece in query.pieces:
        if piece.field != "in":
            yield QueryChip(str(piece), _address(query.leave_out(piece)))


def _part_links(query: SearchQuery) -> Iterator[PartLink]:
    others = tuple(piece for piece in query.pieces if piece.field != "in")
    for part in PARTS:
        chosen = query.parts ^ {part}
        yield PartLink(PART_LABELS[part], part in query.parts, _address(_with_parts(others, chosen)))


def _with_parts(others: tuple[Piece, ...], chosen: frozenset[Part]) -> SearchQuery:
    """The same in these parts; in the usual ones where none is left."""
    usual = SearchQuery(others)
    if not chosen or chosen == usual.parts:
        return usual
    named = ",".join(part for part in PARTS if part in chosen)
    return SearchQuery((*others, Piece("field", named, 0, 0, field="in")))
