"""Playing a session, a step at a time."""

from worker.sessions.loop import advance

__all__ = ["advance"]
