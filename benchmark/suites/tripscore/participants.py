"""The agents by name. Nobody but an agent takes part."""

from __future__ import annotations

from collections.abc import Mapping

from benchmark.agents import SCAFFOLDS
from benchmark.core.participant import BuiltIn, Cast, Kind, OverModel
from benchmark.suites.tripscore.briefing import PROMPTS, briefing_of
from benchmark.suites.tripscore.methods import agents as methods
from benchmark.suites.tripscore.planner.agent import PlannerAgent


def _over_model(scaffold: str) -> OverModel:
    kind = SCAFFOLDS[scaffold]
    return OverModel(
        lambda context, model: kind(briefing_of(context), model), PROMPTS.version, tools=kind.offered_tools
    )


AGENTS: Mapping[str, Kind] = {
    "planner": BuiltIn(PlannerAgent),
    "direct": _over_model("direct"),
    "zero_shot_cot": _over_model("zero_shot_cot"),
    **methods.AGENTS,
}
"""The one that needs no model comes first, so that forms begin with it."""
CAST = Cast(AGENTS, {})
