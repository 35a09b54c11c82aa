"""The one kind of event that only this benchmark has."""

from __future__ import annotations

from typing import Literal

from benchmark.core import events
from benchmark.core.events import EventBody, Kinds, only

PLAYER = "Player"


class SessionOpened(events.SessionOpened):
    """rounds: questions that the agent has."""

    suite: Literal["toy"] = "toy"
    rounds: int

    @property
    def users(self) -> tuple[str, ...]:
        return (PLAYER,)


class NumberDealt(EventBody):
    """The player learns the number, and what it may say of it."""

    type: Literal["number_dealt"] = "number_dealt"
    number: int
    hint: str = ""

    def audience(self) -> str:
        return only(PLAYER)


KINDS = Kinds(SessionOpened, NumberDealt)
