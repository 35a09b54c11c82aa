"""Frames of a session's socket: what a viewer may see, in order, each with the number before it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.template.loader import render_to_string
from django.utils import translation

from benchmark.core.events import RESEARCH
from webapp.accounts.models import User
from webapp.sessions.log import visible, whole_log
from webapp.sessions.models import Session
from webapp.sessions.rendering import render_event

BATCH = 200
MOST_BYTES = 500_000
"""Of the HTML of a batch, as it is sent: the web server sends no message above a megabyte."""


@dataclass(frozen=True)
class Batch:
    """events: frames in order. cursor: how far the log was read, which is past the last frame where what follows
    is not for this viewer. complete: the log was read to its end. quiet: among them were events that this viewer may
    know of and that show nothing. newest_at: when the last event that was read was stored.
    """

    events: list[dict[str, Any]]
    cursor: int
    complete: bool
    quiet: bool = False
    newest_at: datetime | None = None

    @cached_property
    def as_json(self) -> str:
        """Its frames as they are sent; written once for all who get them."""
        return json.dumps(self.events)

    @cached_property
    def characters(self) -> int:
        """Of the HTML of its frames."""
        return sum(len(frame["html"]) for frame in self.events)


def viewer_of(user: Any, session: Session) -> str | None:
    """As whom a person watches a session: `research` for researchers, None for no access."""
    if isinstance(user, User) and user.is_active and user.is_researcher:
        return RESEARCH
    return None


def frames_after(
    *, session: Session, viewer: str, after: int, prev: int, language: str, known: int = 0
) -> Batch:
    """The next frames after number `after`; `prev` is the last number that this viewer has seen.

    known: as in `whole_log`.
    """
    read = whole_log(session.pk, known=known)[after : after + BATCH]
    frames: list[dict[str, Any]] = []
    room, quiet = MOST_BYTES, False
    for event in visible(read, viewer):
        html = render_event(event, session=session, viewer=viewer, language=language)
        if not html and viewer != RESEARCH:  # at a seat it is as if there were no such event
            quiet = True
            continue
        room -= (size := _bytes_of(html))
        if room < 0 and frames:
            return Batch(frames, event.seq - 1, complete=False, quiet=quiet)
        if size > MOST_BYTES:
            html = _in_its_place(event.seq, language)
        frames.append({"seq": event.seq, "prev": prev, "type": event.body.type, "html": html})
        prev = event.seq
    cursor = read[-1].seq if read else after
    return Batch(frames, cursor, len(read) < BATCH, quiet, read[-1].at if read else None)


def _bytes_of(html: str) -> int:
    return len(json.dumps(html))


def _in_its_place(seq: int, language: str) -> str:
    """What is sent for an event that is too large for a message: the page itself can hold it."""
    with translation.override(language):
        return render_to_string("sessions/too_large.html", {"seq": seq})
