"""The agent's system prompt, the same for participants and in run records."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from benchmark.agents.briefing import SHARED_PROMPTS
from benchmark.suites.travelbench.modes import Subtask
from benchmark.text.prompts import Prompts

PROMPTS = Prompts(Path(__file__).parent / "prompts", SHARED_PROMPTS)


class Situation(Protocol):
    """What the prompt depends on: a session's opening, or a view of it."""

    @property
    def language(self) -> str: ...

    @property
    def subtask(self) -> Subtask: ...

    @property
    def time(self) -> str: ...

    @property
    def context(self) -> str: ...


def facts(situation: Situation) -> dict[str, str]:
    """The fields of the template `role`."""
    language = situation.language
    duties = f"{PROMPTS.fill(language, situation.subtask)}\n\n{PROMPTS.fill(language, 'common')}"
    return {"time": situation.time, "context": situation.context, "duties": duties}


def system_prompt(situation: Situation) -> str:
    """The whole of it, in the session's language."""
    return PROMPTS.fill(situation.language, "role", **facts(situation))
