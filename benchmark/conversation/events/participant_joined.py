"""Somebody takes a seat."""

from __future__ import annotations

from typing import Literal

from benchmark.conversation.events.base import RESEARCH, EventBody
from benchmark.models import ModelSetup


class ParticipantJoined(EventBody):
    """seat: `Agent` or a traveller's name. kind: as the registry names it; of an agent over a model, its scaffold.

    prompts: the version of the prompts, empty where there are none. model: which one and how it is asked.
    """

    type: Literal["participant_joined"] = "participant_joined"
    seat: str
    kind: str
    prompts: str = ""
    model: ModelSetup | None = None

    def audience(self) -> str:
        return RESEARCH
