"""The agents by name. Nobody but an agent takes part."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from benchmark.agents import SCAFFOLDS
from benchmark.agents.briefing import Briefing
from benchmark.core.actions import Action
from benchmark.core.participant import Cast, Kind, OverModel, Participant, SeatContext
from benchmark.core.view import View
from benchmark.models import Model
from benchmark.suites.base import Option, fill_options
from benchmark.suites.traveleval.baselines.agent import BASELINE_A, BASELINE_B
from benchmark.suites.traveleval.briefing.briefing import PROMPTS, briefing_of, look_back
from benchmark.suites.traveleval.options import REFLECTIONS_OPTION, ROUNDS_OPTION

Brief = Callable[[SeatContext], Briefing]


@dataclass(frozen=True, slots=True)
class RoundBoundAgent:
    """An agent that may call tools so often, and then has to give its plan."""

    agent: Participant[Any]
    rounds: int

    def act(self, view: View) -> Action:
        """The agent's own action within the limit."""
        if view.turn.step >= self.rounds:
            view = replace(view, turn=replace(view.turn, tools_allowed=False))
        return self.agent.act(view)


def _over_model(scaffold: str, brief: Brief = briefing_of) -> OverModel:
    kind = SCAFFOLDS[scaffold]
    return OverModel(
        lambda context, model: kind(brief(context), model), PROMPTS.version, tools=kind.offered_tools
    )


def _react() -> OverModel:
    kind = _over_model("react")

    def make(context: SeatContext, model: Model) -> RoundBoundAgent:
        return RoundBoundAgent(kind.make(context, model), _chosen_number(context, ROUNDS_OPTION))

    return replace(kind, make=make)


def _chosen_number(context: SeatContext, option: Option) -> int:
    return int(fill_options((option,), context.options)[option.key])


def _reflecting(context: SeatContext) -> Briefing:
    return look_back(briefing_of(context), _chosen_number(context, REFLECTIONS_OPTION))


AGENTS: Mapping[str, Kind] = {
    "baseline_a": BASELINE_A,
    "baseline_b": BASELINE_B,
    "direct": _over_model("direct"),
    "zero_shot_cot": _over_model("zero_shot_cot"),
    "react": _react(),
    "reflexion": _over_model("llm_modulo", _reflecting),
    "llm": _over_model("llm"),
}
"""The first is what pages compare others with.

reflexion: the paper's looks back once at a plan, and no rules tell it what is wrong.
"""
CAST = Cast(AGENTS, {})
