"""The events in which TripScore's logs hold more than others."""

from __future__ import annotations

from typing import Literal

from benchmark.core import events
from benchmark.core.events import Kinds, PlanProposed

USER = "User"
"""Who asks, and hears the answer."""


class SessionOpened(events.SessionOpened):
    """query: as the agent is asked. cities: of the journey. days: how many."""

    suite: Literal["tripscore"] = "tripscore"
    query: str
    cities: tuple[str, ...] = ()
    days: int = 0

    @property
    def users(self) -> tuple[str, ...]:
        """Nobody: the agent has one turn."""
        return ()


KINDS = Kinds(SessionOpened, PlanProposed)
