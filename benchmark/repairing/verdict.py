"""What a benchmark says of one reply of a log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from benchmark.core.events import Event
from benchmark.core.setting import Setting, T, W


class NoVerdict(ValueError):
    """A reply can't be judged; the message says why."""


class JudgedReply(NamedTuple):
    """A reply of an agent.

    faults: what is wrong with it, in words for a model; none where it passes. inventions: what it names that nothing
    before it in the conversation shows. is_reported: whether what is said next tells of its faults. fits_next:
    whether what is said next can follow from it. reward: by rules, None where only whole sessions have one.
    """

    faults: Sequence[str] = ()
    inventions: Sequence[str] = ()
    is_reported: bool = False
    fits_next: bool = True
    reward: float | None = None


JudgeReply = Callable[[Sequence[Event], Setting[T, W], int], JudgedReply]
"""Judges a reply of a log by its number, from 1. Raises NoVerdict."""
