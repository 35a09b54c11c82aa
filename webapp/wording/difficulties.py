"""The difficulty of a task, in words."""

from __future__ import annotations

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

_WORDS = {"easy": _("easy"), "medium": _("medium"), "hard": _("hard")}


def difficulty_words(difficulty: str) -> str:
    """One of the known levels in the reader's language; another word as it is."""
    return gettext(_WORDS[difficulty]) if difficulty in _WORDS else difficulty
