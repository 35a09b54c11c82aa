"""What holds personal data. Apps that know it say so; an address with an argument of these names is of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class SubjectKind:
    """count: how many people's data one holds, by its id. arguments: of addresses, which have that id.

    places: the names of addresses, or their beginnings, that it holds for; () for all.
    """

    name: str
    count: Callable[[str], int]
    arguments: tuple[str, ...] = ()
    places: tuple[str, ...] = ()


KINDS: list[SubjectKind] = []
"""Of those that fit an address, the first counts."""


def subject_of(place: str, arguments: Mapping[str, Any]) -> tuple[SubjectKind, str] | None:
    """What the address of this name is of, and its id; None where that holds no personal data."""
    for kind in KINDS:
        if kind.places and not place.startswith(kind.places):
            continue
        for name in kind.arguments:
            if name in arguments:
                return kind, str(arguments[name])
        if not kind.arguments:
            return kind, ""
    return None


def kind_named(name: str) -> SubjectKind:
    """The kind of this name."""
    return next(kind for kind in KINDS if kind.name == name)
