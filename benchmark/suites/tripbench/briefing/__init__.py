"""What agents over a model are told of TRIP-Bench (appendix F.1 of the paper, in our own words)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from benchmark.agents.briefing import SHARED_PROMPTS, Briefing
from benchmark.suites.tripbench.conversation.rules import ANSWER
from benchmark.suites.tripbench.itineraries import find_plan
from benchmark.text.prompts import Prompts

PROMPTS: Final = Prompts(Path(__file__).parent / "prompts", SHARED_PROMPTS)
BRIEFING: Final = Briefing(
    prompts=PROMPTS,
    facts=lambda view: {},
    instructions={ANSWER: "answer"},
    talking=("role", "form"),
    planning=("role", "form"),
    plan=find_plan,
    plan_anywhere=find_plan,
)
