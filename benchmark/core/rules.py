"""What the step loop asks of a benchmark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from benchmark.core.actions import Say
from benchmark.core.events import EventBody, SessionFinished, TurnGranted
from benchmark.core.state import S
from benchmark.core.viewfold import ViewFold


@dataclass(frozen=True)
class Rules(Generic[S]):
    """The rules of a benchmark's conversations.

    state: that of an empty log. view: what a participant of this name knows at first. next_turn: the turn to grant
    now, or the end; asked only while no answer is awaited. said: the events that an utterance makes in the turn in
    progress.
    """

    state: Callable[[], S]
    view: Callable[[str], ViewFold]
    next_turn: Callable[[S], TurnGranted | SessionFinished]
    said: Callable[[S, Say], list[EventBody]]
