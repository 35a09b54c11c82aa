"""Names and shapes of the wake-ups between worker and socket."""

from __future__ import annotations

from typing import Any


def group_of(session_id: str) -> str:
    """The channel group of a session's viewers."""
    return f"session.{session_id}"


def wake_up(session_id: str, seq: int) -> dict[str, Any]:
    """There is more: the log of the session now ends at `seq`."""
    return {"type": "log.grew", "session": session_id, "seq": seq}
