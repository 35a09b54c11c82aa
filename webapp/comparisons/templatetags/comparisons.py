"""What pages of sessions side by side say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django import template

from webapp.comparisons.comparing import LETTERS, Side
from webapp.comparisons.selection import compared_address
from webapp.wording.lists import join_items

register = template.Library()
register.filter(compared_address)


@register.filter
def compared_with(base: str, other: str) -> str:
    """The page of two sessions side by side, by their ids."""
    return compared_address([base, other])


@register.filter
def pair_with_sides(cells: Sequence[Any], sides: Sequence[Side]) -> list[tuple[Any, Side]]:
    """The cells of a row, each with its session."""
    return list(zip(cells, sides, strict=True))


@register.filter
def letters(places: Iterable[int]) -> str:
    """What the sessions at some places are called, in one line."""
    return join_items(LETTERS[place] for place in places)


@register.filter
def pair_with_letters(values: Sequence[Any]) -> list[tuple[str, Any]]:
    """A value for each session, with the letter of the session."""
    return list(zip(LETTERS, values, strict=False))
