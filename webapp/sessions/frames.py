"""Frames of a session's socket: what a viewer may see, in order, each with the number before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchmark.conversation.events import RESEARCH
from webapp.accounts.models import User
from webapp.sessions.log import visible, whole_log
from webapp.sessions.models import Session
from webapp.sessions.rendering import render_event

BATCH = 200


@dataclass(frozen=True, slots=True)
class Batch:
    """events: frames in order. cursor: how far the log was read, which is past the last frame where what follows
    is not for this viewer. complete: the log was read to its end.
    """

    events: list[dict[str, Any]]
    cursor: int
    complete: bool


def viewer_of(user: Any, session: Session) -> str | None:
    """As whom a person watches a session: `research` for researchers, None for no access."""
    if isinstance(user, User) and user.is_active and user.is_researcher:
        return RESEARCH
    return None


def frames_after(*, session: Session, viewer: str, after: int, prev: int, language: str) -> Batch:
    """The next frames after number `after`; `prev` is the last number that this viewer has seen."""
    read = whole_log(session.pk)[after : after + BATCH]
    frames = []
    for event in visible(read, viewer):
        frame = {
            "seq": event.seq,
            "prev": prev,
            "type": event.body.type,
            "html": render_event(event, session=session, viewer=viewer, language=language),
        }
        frames.append(frame)
        prev = event.seq
    cursor = read[-1].seq if read else after
    return Batch(frames, cursor, len(read) < BATCH)
