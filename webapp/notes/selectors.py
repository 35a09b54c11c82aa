"""Reading notes."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from django.db.models import QuerySet

from webapp.accounts.models import User
from webapp.notes.models import Kind, Note
from webapp.sessions.models import Session

COLUMNS = ("session", "run", "task", "event", "kind", "text", "author", "created_at", "edited_at")
"""Of a file of notes."""


def notes(
    *, q: str = "", kind: str = "", author: str = "", run: str = "", sessions: Collection[str] = ()
) -> QuerySet[Note]:
    """Notes, newest first. q: a part of the text; author: a name; sessions: ids, all without any."""
    rows = Note.objects.select_related("session__task", "author").defer("session__task__definition")
    if q:
        rows = rows.filter(text__icontains=q)
    if kind:
        rows = rows.filter(kind=kind)
    if author:
        rows = rows.filter(author__username=author)
    if run:
        rows = rows.filter(session__run=run)
    if sessions:
        rows = rows.filter(session__in=sessions)
    return rows


def of_session(session: Session) -> list[Note]:
    """All notes on a session, those on the whole session first, then event by event."""
    return list(session.notes.select_related("author").order_by("seq", "created_at", "pk"))


def stars_by(user: Any, session: Session) -> set[int]:
    """What this person has starred of a session: numbers of events, 0 for the session itself."""
    if not isinstance(user, User):
        return set()
    return set(session.notes.filter(author=user, kind=Kind.STAR).values_list("seq", flat=True))


def as_rows(notes: QuerySet[Note]) -> Iterator[dict[str, Any]]:
    """Notes as lines of a file; times in ISO 8601, event 0 is the whole session."""
    for note in notes.iterator(chunk_size=2000):
        edited = note.edited_at.isoformat() if note.edited_at else None
        author = note.author.get_username() if note.author else None
        values = (
            *(note.session_id, note.session.run_id, note.session.task.task_id, note.seq),
            *(note.kind, note.text, author, note.created_at.isoformat(), edited),
        )
        yield dict(zip(COLUMNS, values, strict=True))
