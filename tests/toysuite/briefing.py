"""What agents over a model are told of the toy; a question about a number is what it has for a plan."""

from __future__ import annotations

from pathlib import Path

from benchmark.agents.briefing import SHARED_PROMPTS, Briefing
from benchmark.plans.view import Plan
from benchmark.text.prompts import Prompts
from tests.toysuite.rules import ToyView, number_asked


def faults(plan: Plan | None, view: ToyView) -> tuple[str, ...]:
    if plan is None:
        return ("You have not asked about a number.",)
    return tuple("You have asked that." for said in view.messages if number_asked(said.content) == plan)


BRIEFING = Briefing(
    prompts=Prompts(Path(__file__).parent / "prompts", SHARED_PROMPTS),
    facts=lambda view: {"me": view.me},
    instructions={"ask": "ask"},
    talking=("role", "tools"),
    planning=("role",),
    plan=number_asked,
    faults=faults,
)
