"""The agents by name. Nobody but an agent takes part."""

from __future__ import annotations

from collections.abc import Mapping

from benchmark.agents import SCAFFOLDS
from benchmark.core.participant import BuiltIn, Cast, Kind, OverModel, SeatContext
from benchmark.models import Model
from benchmark.suites.tripscore.briefing import PROMPTS, briefing_of
from benchmark.suites.tripscore.methods import agents as methods
from benchmark.suites.tripscore.planner.agent import PlannerAgent
from benchmark.suites.tripscore.refining.hypertree import HyperTreeAgent
from benchmark.suites.tripscore.tasks import Task


def _over_model(scaffold: str) -> OverModel:
    kind = SCAFFOLDS[scaffold]
    return OverModel(
        lambda context, model: kind(briefing_of(context), model), PROMPTS.version, tools=kind.offered_tools
    )


def _hypertree(context: SeatContext, model: Model) -> HyperTreeAgent:
    assert isinstance(context.task, Task)
    return HyperTreeAgent(briefing_of(context), model, context.task)


AGENTS: Mapping[str, Kind] = {
    "planner": BuiltIn(PlannerAgent),
    "direct": _over_model("direct"),
    "zero_shot_cot": _over_model("zero_shot_cot"),
    "llm_modulo": _over_model("llm_modulo"),
    "hypertree": OverModel(_hypertree, PROMPTS.version, tools=False),
    **methods.AGENTS,
}
"""The one that needs no model comes first, so that forms begin with it."""
CAST = Cast(AGENTS, {})
