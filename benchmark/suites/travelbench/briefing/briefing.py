"""TravelBench as agents over a model need it; an answer is all the plan there is."""

from __future__ import annotations

from benchmark.agents.briefing import Briefing
from benchmark.suites.travelbench.briefing.prompts import PROMPTS, facts

BRIEFING = Briefing(
    prompts=PROMPTS,
    facts=facts,
    instructions={"answer": "answer"},
    talking=("role",),
    planning=("role",),
)
