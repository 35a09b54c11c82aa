"""The participants by name. Adding one is its file and a line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmark.models import Model
from benchmark.participants.agents import ReferenceAgent, llm
from benchmark.participants.base import Participant
from benchmark.participants.users import ScriptedUser
from benchmark.participants.users.llm import LlmUser
from benchmark.participants.users.llm import prompt_version as user_prompts


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A participant that needs no model."""

    make: Callable[[], Participant]


@dataclass(frozen=True, slots=True)
class OverModel:
    """A participant that speaks through a model.

    prompts: the version of its prompts in a language. tools: whether it is offered any.
    """

    make: Callable[[Model], Participant]
    prompts: Callable[[str], str]
    tools: bool = True


Kind = BuiltIn | OverModel

AGENTS: dict[str, Kind] = {
    "reference": BuiltIn(ReferenceAgent),
    "llm": OverModel(llm.LlmAgent, llm.prompt_version),
    "direct": OverModel(llm.DirectAgent, llm.prompt_version, tools=False),
    "zero_shot_cot": OverModel(llm.ZeroShotCotAgent, llm.prompt_version, tools=False),
    "react": OverModel(llm.ReactAgent, llm.prompt_version),
    "reflexion": OverModel(llm.ReflexionAgent, llm.prompt_version),
    "llm_modulo": OverModel(llm.LlmModuloAgent, llm.prompt_version, tools=False),
}
USERS: dict[str, Kind] = {
    "scripted": BuiltIn(ScriptedUser),
    "llm": OverModel(LlmUser, user_prompts),
}


def offers_tools(agent: str) -> bool:
    """Whether an agent of this kind is offered the tools; one that is not known here, of an imported log, may be."""
    kind = AGENTS.get(agent)
    return not isinstance(kind, OverModel) or kind.tools
