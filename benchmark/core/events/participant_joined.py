"""The event that a participant takes a seat."""

from __future__ import annotations

from typing import Literal

from benchmark.core.events.base import RESEARCH, EventBody
from benchmark.models import ModelSetup


class ParticipantJoined(EventBody):
    """seat: `Agent`, a traveller's name, or `Simulator`, the model that answers tool calls which no cache holds.
    kind: as the registry names it; of an agent over a model, its scaffold; `tools` for the simulator.

    prompts: the version of the prompts, empty where there are none. model: which one and how it is asked.
    """

    type: Literal["participant_joined"] = "participant_joined"
    seat: str
    kind: str
    prompts: str = ""
    model: ModelSetup | None = None

    def audience(self) -> str:
        return RESEARCH
