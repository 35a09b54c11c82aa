"""The participants by name. Adding one is its file and a line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmark import agents
from benchmark.core.participant import Participant
from benchmark.models import Model
from benchmark.suites.grouptravel.agent import ReferenceAgent
from benchmark.suites.grouptravel.travellers.llm import LlmUser
from benchmark.suites.grouptravel.travellers.llm import prompt_version as user_prompts
from benchmark.suites.grouptravel.travellers.scripted import ScriptedUser


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
    "llm": OverModel(agents.LlmAgent, agents.prompt_version),
    "direct": OverModel(agents.DirectAgent, agents.prompt_version, tools=False),
    "zero_shot_cot": OverModel(agents.ZeroShotCotAgent, agents.prompt_version, tools=False),
    "react": OverModel(agents.ReactAgent, agents.prompt_version),
    "reflexion": OverModel(agents.ReflexionAgent, agents.prompt_version),
    "llm_modulo": OverModel(agents.LlmModuloAgent, agents.prompt_version, tools=False),
}
USERS: dict[str, Kind] = {
    "scripted": BuiltIn(ScriptedUser),
    "llm": OverModel(LlmUser, user_prompts),
}


def offers_tools(agent: str) -> bool:
    """Whether an agent of this kind is offered the tools; one that is not known here, of an imported log, may be."""
    kind = AGENTS.get(agent)
    return not isinstance(kind, OverModel) or kind.tools
