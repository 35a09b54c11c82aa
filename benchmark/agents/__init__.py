"""Agents that speak through a model: with native tool calls, and in the ways that these are compared with."""

from __future__ import annotations

from collections.abc import Callable

from benchmark.agents.base import ModelAgent
from benchmark.agents.briefing import Briefing
from benchmark.agents.direct import DirectAgent, LlmModuloAgent, ZeroShotCotAgent
from benchmark.agents.llm import LlmAgent
from benchmark.agents.react import ReactAgent
from benchmark.agents.reflexion import ReflexionAgent
from benchmark.core.participant import Kind, OverModel, SeatContext
from benchmark.models import Model

SCAFFOLDS: dict[str, type[ModelAgent]] = {
    "llm": LlmAgent,
    "direct": DirectAgent,
    "zero_shot_cot": ZeroShotCotAgent,
    "react": ReactAgent,
    "reflexion": ReflexionAgent,
    "llm_modulo": LlmModuloAgent,
}


def over_models(briefing: Briefing) -> dict[str, Kind]:
    """Every scaffold as an agent of the benchmark of this briefing."""
    return {
        name: OverModel(_maker(scaffold, briefing), briefing.prompts.version, tools=scaffold.offered_tools)
        for name, scaffold in SCAFFOLDS.items()
    }


def _maker(scaffold: type[ModelAgent], briefing: Briefing) -> Callable[[SeatContext, Model], ModelAgent]:
    return lambda context, model: scaffold(briefing, model)
