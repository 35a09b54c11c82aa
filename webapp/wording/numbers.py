"""Numbers as a reader sees them."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def number_words(value: float | None, places: int, *, signed: bool = False) -> str:
    """A number with so many decimals and its thousands set apart; a dash for none.

    Its minus sign is one, and there is no negative zero. signed: with a sign wherever it is not zero, which has ±.
    """
    if value is None:
        return "–"
    text = f"{abs(value):,.{places}f}"
    if not text.strip("0."):
        return f"±{text}" if signed else text
    return ("−" if value < 0 else "+" if signed else "") + text


def amount_words(amount: float | None) -> str:
    """An amount of money without its sign, to the cent where it has any; a dash for none."""
    return number_words(amount, 0 if amount is None or amount % 1 == 0 else 2)


LEAST_P = 0.001


def p_words(p: float | None) -> str:
    """A probability with three decimals; a smaller one than they can show is said to be smaller."""
    return f"< {LEAST_P}" if p is not None and p < LEAST_P else number_words(p, 3)


def share_words(share: float | None) -> str:
    """A share of 1 in per cent with one decimal, without the sign for it; a dash for none."""
    return number_words(None if share is None else 100 * share, 1)


def duration_words(seconds: float | None) -> str:
    """A time in the two largest units that it has; "–" for none."""
    if seconds is None:
        return "–"
    whole = round(seconds)
    if whole < 60:
        return _("%(n)s s") % {"n": whole}
    if whole < 3600:
        return _("%(n)s min %(s)s s") % {"n": whole // 60, "s": whole % 60}
    return _("%(h)s h %(n)s min") % {"h": whole // 3600, "n": whole % 3600 // 60}


def counts_by_days(counts: Mapping[str, int]) -> list[str]:
    """How many there are of each length, the days of which are given as text."""
    return [
        ngettext("%(days)s day: %(n)s", "%(days)s days: %(n)s", int(days)) % {"days": days, "n": n}
        for days, n in counts.items()
    ]
