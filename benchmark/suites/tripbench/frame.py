"""What is fixed of a trip: where from, where to and how long, when, and how many people."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class Frame(BaseModel):
    """`meta` of a task. stays: the destinations in order, each with its nights."""

    model_config = ConfigDict(frozen=True)

    origin: str
    stays: tuple[tuple[str, Annotated[int, Field(ge=0)]], ...]
    start_date: date
    end_date: date
    people: Annotated[int, Field(ge=1, le=1_000_000)]

    @property
    def destinations(self) -> list[str]:
        """The cities of the stays."""
        return [city for city, _ in self.stays]

    @property
    def nights(self) -> list[str]:
        """The city of each night."""
        return [city for city, nights in self.stays for _ in range(nights)]

    @property
    def legs(self) -> list[tuple[str, str]]:
        """The ends of each leg: out, between the stays, and back."""
        stops = [self.origin, *self.destinations, self.origin]
        return [*pairwise(stops)]

    @property
    def dates(self) -> list[date]:
        """All days of the trip."""
        return [self.start_date + timedelta(n) for n in range((self.end_date - self.start_date).days + 1)]
