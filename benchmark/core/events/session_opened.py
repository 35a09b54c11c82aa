"""The session begins."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from benchmark.core.events.base import EventBody
from sandbox.toolbox import SandboxSetup

Protocol = Literal["published", "paper"]
Contract = Literal["markers", "strict"]
"""What code holds a traveller over a model to: its compromise markers alone, or every rule that code can check."""


def contract_of(protocol: Protocol) -> Contract:
    """The contract of a session that chooses none: the published runner asks again for markers alone."""
    return "markers" if protocol == "published" else "strict"


class Member(BaseModel):
    """A member of the group as everybody knows them."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    name: str
    role: str


class SessionOpened(EventBody):
    """Task, world, seed and rules of the session: what everybody at the table may know.

    travellers: users with a table, in polling order. companions: young children without one.
    max_turn, convergence_interval: in rounds. sandbox: who answers tool calls. contract: of travellers over models;
    logs from before it could be chosen name none, and their travellers were held to every rule.
    """

    type: Literal["session_opened"] = "session_opened"
    task_id: str
    query: str
    time: str
    context: str
    language: Literal["zh", "en"] = "zh"
    travellers: tuple[Member, ...]
    companions: tuple[Member, ...] = ()
    max_turn: int
    convergence_interval: int
    protocol: Protocol = "published"
    contract: Contract = "strict"
    seed: int = 0
    world: str = ""
    pack_hash: str = ""
    sandbox: SandboxSetup = SandboxSetup()
