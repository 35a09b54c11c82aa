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
ABSENCES: tuple[Presence, ...] = ("left", "withdrawn")


class Attendance(BaseModel):
    """How long the session waits for one seat, and what happens after that. Names in `_s` are seconds."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    # The time for one answer, after which the turn is passed; None for no limit.
    turn_s: float | None = Field(default=180.0, gt=0, le=86_400)
    # The reminder comes this long before the end of the turn; 0 for no reminder.
    remind_s: float = Field(default=45.0, ge=0, le=86_400)
    # Somebody who is disconnected for this long has left.
    away_s: float = Field(default=180.0, gt=0, le=86_400)
    # Somebody who misses this many turns in a row has left.
    misses: int = Field(default=2, ge=1, le=100)
    # The time until somebody must have taken the seat; None for no limit.
    gather_s: float | None = Field(default=None, gt=0, le=30 * 86_400)
    # What happens when the occupant has left.
    dropout: Dropout = "replace"
    # What happens when nobody has taken the seat in time.
    lacking: Lacking = "replace"
    # The kind of participant that takes over; "" for the benchmark's own, which needs no model.
    substitute: str = ""
    # The model of the substitute, if it needs one.
    model: ModelSetup | None = None
