"""Several things in a row."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import pgettext


def join_items(items: Iterable[object]) -> str:
    """With what stands between them in the language of the page."""
    return pgettext("between the things of a list", ", ").join(map(str, items))
