"""Facts that tools return of things, in words; None for what is no such fact."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from webapp.wording.numbers import amount_words


def price_words(price: Any) -> str | None:
    """A price in yuan: `¥38.50`, `free`."""
    if not isinstance(price, int | float) or isinstance(price, bool):
        return None
    return f"¥{amount_words(price)}" if price else _("free")


def minutes_words(minutes: Any) -> str | None:
    """`25 min`."""
    return _("%(n)s min") % {"n": minutes} if isinstance(minutes, int | float) else None


def distance_words(metres: Any) -> str | None:
    """`1.2 km`."""
    return f"{metres / 1000:.1f} km" if isinstance(metres, int | float) else None
