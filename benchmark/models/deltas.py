"""Pieces of an answer while it comes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of an answer, for people who watch: any of them may be dropped, the `Reply` has everything.

    kind: of the answer's words, of the thoughts before it, or of a tool call (its name, then its arguments).
    """

    kind: Literal["text", "reasoning", "call"]
    text: str


Told = Callable[[Delta], None]
