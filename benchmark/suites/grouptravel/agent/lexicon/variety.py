"""Choosing among equal wordings, so that none is heard often."""

from __future__ import annotations

from collections.abc import Sequence

from benchmark.text import guarded

_SLOT = guarded.compile(r"\{\w+\}")


def least_said(wordings: Sequence[str], said: str, turn: int) -> str:
    """The wording that stands in `said` least often. turn: where to begin among those that are equal."""
    rotated = [wordings[(turn + place) % len(wordings)] for place in range(len(wordings))]
    return min(rotated, key=lambda wording: said.count(_fixed_part(wording)))


def was_said(wording: str, said: str) -> bool:
    """Whether a text holds a wording, whatever fills it."""
    return _fixed_part(wording) in said


def _fixed_part(wording: str) -> str:
    """The longest part of a wording that is the same whatever fills it."""
    return max(_SLOT.split(wording), key=len)
