"""What worlds that ship say of themselves."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from sandbox.worlds.starter import NOTE, SOURCE

_SHIPPED_WORDS: dict[str, Promise] = {
    SOURCE: _("shipped with the product"),
    NOTE: _(
        "General knowledge, for demonstration: prices and hours are indicative, "
        "numbers of reviews are made up, and the timetable is generated over the real network."
    ),
}


def world_words(text: str) -> str:
    """A world's source or note in the reader's language where we wrote it; another one as it is."""
    return str(_SHIPPED_WORDS.get(text, text))
