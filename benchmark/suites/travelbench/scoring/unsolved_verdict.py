"""Whether an assistant has said that a task can't be solved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from benchmark.suites.travelbench.modes import UNSOLVED_MARK


class Verdict(NamedTuple):
    """reply: what was looked at, None where there is no such message."""

    reply: str | None
    said: bool

    @property
    def score(self) -> int:
        """1 or 0."""
        return int(self.said)


def first_message(messages: Iterable[Mapping[str, Any]] | None) -> Verdict:
    """By the first message of the assistant, whether or not it calls tools (`published`); the tag is `[Unsolved]`, in
    these letters, anywhere in it. messages: of a run record; None and no messages, as of a crash, say nothing.
    """
    return _verdict([message for message in messages or () if message.get("role") == "assistant"][:1])


def first_response(messages: Iterable[Mapping[str, Any]] | None) -> Verdict:
    """By the first message of the assistant that calls no tools: its first response (`paper`, equation 1)."""
    spoken = (message for message in messages or () if message.get("role") == "assistant")
    return _verdict([message for message in spoken if not message.get("tool_calls")][:1])


def accuracy(flags: Sequence[bool]) -> float:
    """The share of runs whose verdict is yes, 0 to 1 (equation 2); 0 for no runs."""
    return fmean(flags) if flags else 0.0


def _verdict(messages: Sequence[Mapping[str, Any]]) -> Verdict:
    if not messages:
        return Verdict(None, False)
    content = messages[0].get("content")
    return Verdict(content, isinstance(content, str) and UNSOLVED_MARK in content)
