"""The logs of sessions, as the API gives them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.http import HttpRequest, HttpResponseBase

from webapp.api import schemas
from webapp.api.answers import (
    AT_ONCE,
    answer_with_tag,
    json_response,
    lines,
    number_in,
    wants_lines,
    write_cursor,
)
from webapp.commit import commit
from webapp.people.exports import Naming, has_people, met_in
from webapp.people.polling import poll_of
from webapp.sessions.log import as_json
from webapp.sessions.models import Event, Session


def answer_events(
    request: HttpRequest, session: Session, cursor: str, limit: int, types: str
) -> HttpResponseBase:
    """The events after a cursor. types: only of these, with commas between them; "" for all.

    Where a request waits, and there is nothing new, it is asked again once there is.
    """
    after = number_in(cursor)
    rows = Event.objects.filter(session=session, seq__gt=after, seq__lte=session.last_seq).order_by("seq")
    if wanted := [name for name in types.split(",") if name]:
        rows = rows.filter(type__in=wanted)
    if wants_lines(request):
        events = rows.iterator(chunk_size=AT_ONCE)

        def whole() -> HttpResponseBase:
            return lines(_items(session, events))

        return _answer_with_tag(request, session, whole) if session.ended else whole()
    some = list(rows[: limit + 1])
    more = len(some) > limit
    if not some and not session.ended:
        poll_of(request).session = session.pk

    def page() -> HttpResponseBase:
        last = some[limit - 1].seq if more else session.last_seq
        return json_response(
            {
                "items": [item.model_dump(mode="json") for item in _items(session, some[:limit])],
                "next": write_cursor(last) if more or not session.ended else None,
                "ended": session.ended,
            }
        )

    return _answer_with_tag(request, session, page) if session.ended else page()


def _answer_with_tag(request: HttpRequest, session: Session, make: Any) -> HttpResponseBase:
    """Of a session that has ended. Its log grows only where a person's words are removed, which is an event too."""
    kind = "lines" if wants_lines(request) else "page"
    tag = f"{session.pk} {session.last_seq} {kind} {request.META.get('QUERY_STRING', '')} {commit()}"
    return answer_with_tag(request, tag, make)


def _items(session: Session, rows: Iterable[Event]) -> Iterator[schemas.EventItem]:
    """People are P1, P2 … in them, as in exports with pseudonyms."""
    naming = Naming(hidden=True)
    named = has_people(Session.objects.filter(pk=session.pk))
    if named:
        met_in([session], naming)
    for row in rows:
        told = as_json(row)
        if named:
            told["payload"] = naming.value(told["payload"])
        yield schemas.EventItem(**told)
