"""When something of a plan is, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from benchmark.plans.view import When

PERIOD_WORDS: Final[Mapping[str, Promise]] = {
    "Morning": _("Morning"),
    "Afternoon": _("Afternoon"),
    "Evening": _("Evening"),
}
"""Parts of a day as plans without hours name them; other words stay as they are written."""


def time_words(when: When) -> str:
    """Hours as the plan has them, a part of the day in the language of the page."""
    return str(PERIOD_WORDS.get(when.text, when.text))
