"""Events of the session itself: how it begins, who takes part, what went wrong, how it ends."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, get_args

from pydantic import StringConstraints

from benchmark.core.events.base import RESEARCH, EventBody
from benchmark.models import ModelSetup
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


class ErrorRaised(EventBody):
    """where: what was being done; detail: text for the researcher, which no participant sees."""

    type: Literal["error_raised"] = "error_raised"
    where: str
    kind: str
    detail: str = ""

    def audience(self) -> str:
        return RESEARCH


Crash = Literal["context_overflow", "connection_error", "rate_limit", "runtime_error"]
CRASHES: tuple[Crash, ...] = get_args(Crash)


class SessionFinished(EventBody):
    """reason: a crash, `stopped` when a researcher ended it, or a name that the benchmark's rules have for their end.

    Nothing follows this event.
    """

    type: Literal["session_finished"] = "session_finished"
    reason: Annotated[str, StringConstraints(pattern="^[a-z_]{1,40}$")]
    plan_generated: bool = False
