"""What the step loop asks of a benchmark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from benchmark.core.actions import Say
from benchmark.core.events import EventBody, SessionFinished, TurnGranted
from benchmark.core.setting import Check
from benchmark.core.state import S
from benchmark.core.viewfold import ViewFold


def _crashes(state: object, error: str) -> list[EventBody]:
    return []


@dataclass(frozen=True)
class Rules(Generic[S]):
    """The rules of a benchmark's conversations.

    state: that of an empty log. view: what a participant of this name knows at first. next_turn: the turn to grant
    now, or the end; asked only while no answer is awaited. utterance_events: the events that an utterance makes in
    the turn in progress; the check is that of the rules (`Play.critic`), None where the benchmark has none.
    fallback_events: the events that stand for the answer of a model that gives none, from the state and the error;
    none where the session crashes then.
    """

    state: Callable[[], S]
    view: Callable[[str], ViewFold]
    next_turn: Callable[[S], TurnGranted | SessionFinished]
    utterance_events: Callable[[S, Say, Check | None], list[EventBody]]
    fallback_events: Callable[[S, str], list[EventBody]] = _crashes
