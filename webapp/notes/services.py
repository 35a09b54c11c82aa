"""Writing notes. A person changes and deletes their own alone."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from webapp.accounts.models import User
from webapp.notes.models import Kind, Note
from webapp.sessions.models import Session


def add(*, session: Session, author: User, kind: str, seq: int = 0, text: str = "") -> Note:
    """A note; a tag or star that this person has set already stays one."""
    given: dict[str, Any] = {"session": session, "author": author, "kind": kind, "seq": seq, "text": text}
    if kind == Kind.COMMENT:
        return Note.objects.create(**given)
    return Note.objects.get_or_create(**given)[0]


def toggle_star(*, session: Session, author: User, seq: int = 0) -> bool:
    """Set this person's star, or take it away; whether it is there now."""
    taken, _each = Note.objects.filter(session=session, author=author, kind=Kind.STAR, seq=seq).delete()
    if not taken:
        add(session=session, author=author, kind=Kind.STAR, seq=seq)
    return not taken


def edit(*, note: Note, text: str) -> None:
    """Another text for a comment."""
    note.text, note.edited_at = text, timezone.now()
    note.save(update_fields=["text", "edited_at"])
