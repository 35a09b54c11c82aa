"""Where a session can be continued by somebody else: after which events nothing is half done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from benchmark.core.events import CRASHES, Event, ModelCalled, SessionFinished, ToolReturned, TurnGranted
from benchmark.core.rules import Rules
from benchmark.core.state import S


def last_point(rules: Rules[S], log: Sequence[Event], chosen: int) -> int:
    """The last event up to `chosen` after which the session can go on; in the opening it is the opening's last.

    Where `chosen` is the end that the rules gave the session, it is one before the agent gave what was asked for.
    0 where there is none: the log does not reach to the first turn, or its fold does not bear going on.
    """
    ended = log[chosen - 1].body if 0 < chosen <= len(log) else None
    by_rules = isinstance(ended, SessionFinished) and ended.reason not in (*CRASHES, "stopped")
    last = 0
    for seq, state in _points(rules, log):
        if seq > chosen and last:
            break
        if not by_rules or (not state.planned and _goes_on(rules, state)):
            last = seq
    return last


def _goes_on(rules: Rules[S], state: S) -> bool:
    asked = state.turn is not None and not state.ask_again
    return asked or isinstance(rules.next_turn(state), TurnGranted)


def _points(rules: Rules[S], log: Sequence[Event]) -> Iterator[tuple[int, S]]:
    """The events after which a step is complete and no tool call waits, each with the state after it."""
    state = rules.state()
    for event, after in zip_longest(log, log[1:]):
        if isinstance(event.body, SessionFinished):
            return
        state.apply(event)
        if not state.loop.waiting and _complete(event, after):
            yield event.seq, state


def _complete(event: Event, after: Event | None) -> bool:
    """Whether a step ends with this event: events of one step have one actor."""
    if (
        after is None
        or isinstance(after.body, TurnGranted)
        or isinstance(event.body, TurnGranted | ToolReturned)
    ):
        return True
    if isinstance(event.body, ModelCalled) and event.body.retry_in_s is not None:
        return True
    asks = isinstance(after.body, ModelCalled) and not isinstance(event.body, ModelCalled)
    return asks or event.actor != after.actor
