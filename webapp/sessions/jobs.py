"""The kinds of background work on sessions."""

from webapp.sessions.scoring import SCORE
from webapp.sessions.services import SESSION

__all__ = ["SCORE", "SESSION"]
