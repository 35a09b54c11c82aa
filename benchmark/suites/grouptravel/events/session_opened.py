"""A session of GroupTravelBench begins."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from benchmark.core import events


class Member(BaseModel):
    """A member of the group as everybody knows them."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    name: str
    role: str


class SessionOpened(events.SessionOpened):
    """travellers: users with a table, in polling order. companions: young children without one.

    query, time (departure date, YYYY-MM-DD), context: the task's own texts. max_turn, convergence_interval: in
    rounds.
    """

    suite: Literal["grouptravel"] = "grouptravel"
    query: str
    time: str
    context: str
    travellers: tuple[Member, ...]
    companions: tuple[Member, ...] = ()
    max_turn: int
    convergence_interval: int

    @property
    def users(self) -> tuple[str, ...]:
        """The travellers with a table."""
        return tuple(member.name for member in self.travellers)

    @classmethod
    def upcast(cls, payload: dict[str, Any], v: int) -> dict[str, Any]:
        """Version 1 named no benchmark: there was this one alone."""
        return {"suite": "grouptravel", **payload}
