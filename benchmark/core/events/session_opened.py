"""The event that the session begins."""

from __future__ import annotations

from typing import ClassVar, Literal

from benchmark.core.events.base import EventBody
from sandbox.toolbox import SandboxSetup

Protocol = Literal["published", "paper"]
"""Which rules a session follows: those of the published program, or those of the paper where the two differ."""

Contract = Literal["markers", "strict"]
"""What is checked of a traveller over a model: its compromise markers only, or every rule that code can check."""


def contract_of(protocol: Protocol) -> Contract:
    """The contract of a session that chooses none: the published runner asks again for markers alone."""
    return "markers" if protocol == "published" else "strict"


class SessionOpened(EventBody):
    """Task, world, seed and rules of the session, which every participant may know.

    suite: the benchmark; its own subclass says the rest. sandbox: who answers tool calls. contract: of
    travellers over models; logs from before it could be chosen name none, and their travellers were held to
    every rule.
    """

    type: Literal["session_opened"] = "session_opened"
    version: ClassVar[int] = 2
    suite: str
    task_id: str
    language: Literal["zh", "en"] = "zh"
    protocol: Protocol = "published"
    contract: Contract = "strict"
    seed: int = 0
    world: str = ""
    pack_hash: str = ""
    sandbox: SandboxSetup = SandboxSetup()

    @property
    def users(self) -> tuple[str, ...]:
        """The names of those who talk with the agent, in the order in which they are asked."""
        return ()
