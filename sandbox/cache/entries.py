"""What a cache holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sandbox.cache.keys import call_of
from sandbox.calls import Call


@dataclass(frozen=True, slots=True)
class Entry:
    """One cached call. key: as published. result: the tool's text, byte for byte."""

    tool: str
    key: str
    result: str

    @property
    def call(self) -> Call:
        """The call that the key was made from."""
        return call_of(self.tool, self.key)


@dataclass(frozen=True, slots=True)
class MissedCall:
    """A call that a cache did not know. params: its arguments as JSON text. simulated_result: None where nothing was.

    timestamp: of the first time, as it was written. count: how often it was missed.
    """

    tool: str
    params: str
    simulated_result: Any
    timestamp: str | int | float
    count: int
    call: Call
