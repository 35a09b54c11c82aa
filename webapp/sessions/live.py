"""Names and shapes of the wake-ups between worker and socket."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

SHOWN_LENGTH = 2_000
"""Characters of a draft that travel: its end."""


@dataclass
class Draft:
    """What a seat's model has written so far in its request number `call`.

    kind: text, reasoning or call; hidden where it is the agent's hidden summary.
    """

    seat: str
    call: int
    kind: str
    text: str = ""


def group_of(session_id: str) -> str:
    """The channel group of a session's viewers."""
    return f"session.{session_id}"


def wake_up(session_id: str, seq: int) -> dict[str, Any]:
    """There is more: the log of the session now ends at `seq`."""
    return {"type": "log.grew", "session": session_id, "seq": seq}


def halt_message(session_id: str, words: str) -> dict[str, Any]:
    """Why the session does not go on just now, in words for the researcher."""
    return {"type": "session.halted", "session": session_id, "words": words}


def model_writes(session_id: str, draft: Draft) -> dict[str, Any]:
    """What a model is writing: an extra for researchers, which may be lost."""
    return {
        "type": "model.writes",
        "session": session_id,
        "seat": draft.seat,
        "call": draft.call,
        "kind": draft.kind,
        "text": draft.text[-SHOWN_LENGTH:],
        "cut": len(draft.text) > SHOWN_LENGTH,
    }
