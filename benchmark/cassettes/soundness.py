"""Whether what a cassette's file holds can be kept and shown: files come from other people."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

from benchmark.core.engine import Conversation
from benchmark.core.events import Event, SessionForked, SessionOpened
from benchmark.core.model_use import model_use
from benchmark.core.tool_use import tool_use
from benchmark.suites.base import AnySuite

NOBODY = ("system", "tools", "researcher", "Agent")
"""Who acts in a session besides its travellers."""
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")


class Unsound(ValueError):
    """A value or an event that no session holds; the message says which and why. seq: of the event, 0 for none."""

    def __init__(self, message: str, seq: int = 0) -> None:
        super().__init__(message)
        self.seq = seq


def check_value(value: Any) -> None:
    """Refuse numbers and text that JSON can hold and a database or a page can't.

    Raises:
        Unsound: a number that is none, or half of a character.
    """
    for leaf in _leaves(value):
        if isinstance(leaf, float) and not math.isfinite(leaf):
            raise Unsound(f"{leaf} is not a number")
        if isinstance(leaf, str) and (half := _HALF_CHARACTER.search(leaf)):
            raise Unsound(f"half of a character (\\u{ord(half.group()):x})")


def _leaves(value: Any) -> Iterator[Any]:
    """Everything below a value that is neither a list nor an object, keys included; as deep as it may be."""
    open_ = [value]
    while open_:
        match open_.pop():
            case dict() as inner:
                open_ += [*inner.keys(), *inner.values()]
            case list() as inner:
                open_ += inner
            case leaf:
                yield leaf


def check_log(log: Sequence[Event], suite: AnySuite) -> None:
    """Refuse events that do not tell a session.

    Raises:
        Unsound: one that does not follow from those before it, comes after the end, or names somebody who is not
            there.
    """
    conversation, people = Conversation(suite.play.rules), set(NOBODY)
    for event in log:
        if conversation.state.final_event is not None:
            raise Unsound("comes after the session's end", event.seq)
        if isinstance(event.body, SessionOpened):
            _check_opening(event.body)
            people |= set(event.body.users)
        if isinstance(event.body, SessionForked):
            _check_fork(event.body, event.seq)
        _check_people(event, people)
        try:
            conversation.apply(event)
        except Exception as error:  # whatever the fold trips over: no session of ours has told it
            raise Unsound(f"does not follow from the events before it ({error})", event.seq) from error
    if conversation.state.final_event is not None:
        _check_told(log, suite)


def _check_told(log: Sequence[Event], suite: AnySuite) -> None:
    """What is told of an ended session can be told of this one."""
    try:
        suite.play.record(log)
        tool_use(log)
        model_use(log)
    except Exception as error:  # as above
        raise Unsound(f"the log up to here can't be told as a run record ({error})", log[-1].seq) from error


def _check_opening(opened: SessionOpened) -> None:
    """What tasks and worlds are looked up by, and what has a column of its own."""
    for field in ("task_id", "world", "pack_hash"):
        if "\x00" in getattr(opened, field):
            raise Unsound(f"payload.{field}: the character NUL, which no database takes", 1)
    _check_seed(opened.seed, 1)


def _check_fork(forked: SessionForked, seq: int) -> None:
    if forked.seq != seq - 1:
        raise Unsound(f"payload.seq: the event before is {seq - 1}", seq)
    if "\x00" in forked.origin:
        raise Unsound("payload.origin: the character NUL, which no database takes", seq)
    _check_seed(forked.seed or 0, seq)


def _check_seed(seed: int, seq: int) -> None:
    if not -(2**31) <= seed < 2**31:
        raise Unsound("payload.seed: a number of 32 bits is needed", seq)


def _check_people(event: Event, people: set[str]) -> None:
    named = {"actor": event.actor, "seat": getattr(event.body, "seat", event.actor)}
    for field, name in named.items():
        if name not in people:
            raise Unsound(f"{field}: nobody in this session is called {name[:60]!r}", event.seq)
