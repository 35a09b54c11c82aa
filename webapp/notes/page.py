"""The notes on a session, on its page."""

from __future__ import annotations

from typing import Any

from webapp.notes.forms import CommentForm, TagForm
from webapp.notes.models import Kind
from webapp.notes.selectors import of_session
from webapp.sessions.reading import Reading


def context(reading: Reading, _traveller: str) -> dict[str, Any]:
    """All notes whatever the moment; forms for new ones, on the event of the moment where there is one."""
    session_notes = of_session(reading.session)
    return {
        "stars": [note for note in session_notes if note.kind == Kind.STAR],
        "tags": [note for note in session_notes if note.kind == Kind.TAG],
        "comments": [note for note in session_notes if note.kind == Kind.COMMENT],
        "tag_form": TagForm(reading.session, initial={"seq": reading.at}, auto_id="tag_%s"),
        "comment_form": CommentForm(reading.session, initial={"seq": reading.at}, auto_id="comment_%s"),
    }
