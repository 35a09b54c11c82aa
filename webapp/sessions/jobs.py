"""The kinds of background work on sessions."""

from webapp.sessions.archiving import ARCHIVE
from webapp.sessions.scoring import SCORE
from webapp.sessions.services import SESSION

__all__ = ["ARCHIVE", "SCORE", "SESSION"]
