"""Numbers as a reader sees them."""

from __future__ import annotations


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


def share_words(share: float | None) -> str:
    """A share of 1 in per cent with one decimal, without the sign for it; a dash for none."""
    return number_words(None if share is None else 100 * share, 1)
