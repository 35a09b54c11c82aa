"""The participants by name. Adding one is its file and a line here."""

from __future__ import annotations

from benchmark import agents
from benchmark.core.participant import BuiltIn, Cast, Kind, OverModel
from benchmark.suites.grouptravel.agent import ReferenceAgent
from benchmark.suites.grouptravel.travellers.llm import LlmUser
from benchmark.suites.grouptravel.travellers.llm import prompt_version as user_prompts
from benchmark.suites.grouptravel.travellers.scripted import ScriptedUser

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
CAST = Cast(AGENTS, USERS)
