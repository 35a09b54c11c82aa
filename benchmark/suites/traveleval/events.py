"""The events that only TravelEval's logs hold, or in which they hold more than others."""

from __future__ import annotations

from typing import Literal

from benchmark.core import events
from benchmark.core.events import Kinds, PlanProposed

USER = "User"
"""Who asks, and hears the answer."""


class SessionOpened(events.SessionOpened):
    """query: as the agent is asked. start_city, target_city: the ends of the journey."""

    suite: Literal["traveleval"] = "traveleval"
    query: str
    start_city: str = ""
    target_city: str = ""

    @property
    def users(self) -> tuple[str, ...]:
        """Nobody: the agent has one turn."""
        return ()


KINDS = Kinds(SessionOpened, PlanProposed)
