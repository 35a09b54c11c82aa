"""Tiers of a preference table: lists of items, or whatever stands in the list's place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Tier = list[Any] | str


def tier(value: Any) -> Tier | None:
    """What can be walked item by item and searched: a list, a text, an object's keys; None for anything else."""
    if isinstance(value, (list, str)):
        return value
    return list(value) if isinstance(value, dict) else None


def items(value: Any) -> Sequence[Any]:
    """The items of a tier; a text acts as its characters, an object as its keys, anything else holds nothing."""
    return tier(value) or ()


def holds(held: Tier, item: Any) -> bool:
    """Whether a tier has `item`: equal to one in a list, a part of a text."""
    return item in held if isinstance(held, list) or isinstance(item, str) else False
