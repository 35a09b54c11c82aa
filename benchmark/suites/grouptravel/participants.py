"""The participants by name. Adding one is its file and a line here."""

from __future__ import annotations

from benchmark.agents import over_models
from benchmark.core.participant import BuiltIn, Cast, Kind, OverModel
from benchmark.suites.grouptravel.agent import ReferenceAgent
from benchmark.suites.grouptravel.briefing import BRIEFING
from benchmark.suites.grouptravel.travellers.llm import PROMPTS, LlmUser
from benchmark.suites.grouptravel.travellers.scripted import ScriptedUser

AGENTS: dict[str, Kind] = {"reference": BuiltIn(lambda context: ReferenceAgent()), **over_models(BRIEFING)}
USERS: dict[str, Kind] = {
    "scripted": BuiltIn(lambda context: ScriptedUser()),
    "llm": OverModel(lambda context, model: LlmUser(model), PROMPTS.version),
}
CAST = Cast(AGENTS, USERS)
