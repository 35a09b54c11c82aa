"""The participants by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from benchmark.agents import over_models
from benchmark.core.participant import BuiltIn, Cast, Kind, OverModel
from benchmark.suites.tripbench.agent import ReferenceAgent
from benchmark.suites.tripbench.briefing import BRIEFING
from benchmark.suites.tripbench.users.llm import LlmUser
from benchmark.suites.tripbench.users.program import ScriptedUser
from benchmark.suites.tripbench.users.words import PROMPTS

SCAFFOLDS: Final = ("llm", "react", "direct")
"""The others ask a check for what is wrong with a plan, which this benchmark does not tell."""
_OVER_MODELS: Final = over_models(BRIEFING)
AGENTS: Final[Mapping[str, Kind]] = {
    "reference": BuiltIn(ReferenceAgent),
    **{name: _OVER_MODELS[name] for name in SCAFFOLDS},
}
USERS: Final[Mapping[str, Kind]] = {
    "scripted": BuiltIn(lambda context: ScriptedUser()),
    "llm": OverModel(lambda context, model: LlmUser(model), PROMPTS.version, tools=False),
}
CAST: Final = Cast(AGENTS, USERS)
