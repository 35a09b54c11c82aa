"""How a session waits for those who take its seats from outside: people at a page, programs over the network."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from benchmark.models import ModelSetup

Dropout = Literal["wait", "pass", "replace", "end"]
"""What becomes of a seat whose occupant has left: wait for them, pass in their place, let a participant of Caravan
take over, or end the session."""
Lacking = Literal["replace", "end"]
"""What happens where too few have come in time: participants of Caravan take the empty seats, or the session ends."""
Presence = Literal["joined", "away", "disconnected", "back", "left", "withdrawn"]
GONE: tuple[Presence, ...] = ("left", "withdrawn")


class Attendance(BaseModel):
    """How one seat is waited for; times in seconds.

    turn_s: for one answer, None for no limit; then the turn is passed. remind_s: before that, the reminder. away_s:
    whoever is disconnected for so long has left. misses: so has who missed that many turns running. gather_s: until
    somebody takes the seat, None for no limit. dropout, lacking: what happens then. substitute: the kind of
    participant that takes over, "" for the benchmark's own that needs no model; model: what it speaks through, where
    it needs one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    turn_s: float | None = Field(default=180.0, gt=0, le=86_400)
    remind_s: float = Field(default=45.0, ge=0, le=86_400)
    away_s: float = Field(default=180.0, gt=0, le=86_400)
    misses: int = Field(default=2, ge=1, le=100)
    gather_s: float | None = Field(default=None, gt=0, le=30 * 86_400)
    dropout: Dropout = "replace"
    lacking: Lacking = "replace"
    substitute: str = ""
    model: ModelSetup | None = None
