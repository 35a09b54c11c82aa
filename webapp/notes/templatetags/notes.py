"""What pages show of notes."""

from __future__ import annotations

from typing import Any

from django import template

from webapp.notes.selectors import stars_by
from webapp.sessions.models import Session

register = template.Library()


@register.simple_tag
def starred_by(user: Any, session: Session) -> set[int]:
    """What a person has starred of a session; 0 is the session itself."""
    return stars_by(user, session)
