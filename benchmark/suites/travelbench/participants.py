"""The participants by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from benchmark.agents import over_models
from benchmark.core.actions import Action, Say
from benchmark.core.participant import BuiltIn, Cast, Kind, OverModel, Participant, SeatContext
from benchmark.core.view import View
from benchmark.models import Model
from benchmark.suites.travelbench.agent import ReferenceAgent
from benchmark.suites.travelbench.briefing.briefing import BRIEFING
from benchmark.suites.travelbench.conversation.answers import OUT_OF_STEPS
from benchmark.suites.travelbench.travellers.llm import PROMPTS, LlmUser
from benchmark.suites.travelbench.travellers.scripted import ScriptedUser

SCAFFOLDS = ("llm", "react", "direct")
"""The others make plans in several tries, and an answer to a traveller is no plan."""


@dataclass(frozen=True, slots=True)
class BoundedAgent:
    """An agent that is asked no more once the steps of its turn are spent: a fixed sentence is its answer then."""

    agent: Participant[Any]

    def act(self, view: View) -> Action:
        """The agent's own action within the limit."""
        return self.agent.act(view) if view.turn.tools_allowed else Say(OUT_OF_STEPS)


MakeOverModel = Callable[[SeatContext, Model], Participant[Any]]


def _bound_steps(make: MakeOverModel) -> MakeOverModel:
    return lambda context, model: BoundedAgent(make(context, model))


def _over_models() -> Mapping[str, Kind]:
    """The scaffolds that suit, each within the limit of steps."""
    every = over_models(BRIEFING)
    return {
        name: replace(kind, make=_bound_steps(kind.make))
        for name in SCAFFOLDS
        if isinstance(kind := every[name], OverModel)
    }


AGENTS: dict[str, Kind] = {"reference": BuiltIn(lambda context: ReferenceAgent()), **_over_models()}
USERS: dict[str, Kind] = {
    "scripted": BuiltIn(lambda context: ScriptedUser()),
    "llm": OverModel(lambda context, model: LlmUser(model), PROMPTS.version),
}
CAST = Cast(AGENTS, USERS)
