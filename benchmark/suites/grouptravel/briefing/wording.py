"""The prompts' words (GroupTravelBench, appendix D.3 to D.7)."""

from __future__ import annotations

from pathlib import Path

from benchmark.agents.briefing import SHARED_PROMPTS
from benchmark.text.prompts import Prompts

PROMPTS = Prompts(Path(__file__).parent / "prompts", SHARED_PROMPTS)


def fault(language: str, key: str, /, **fields: object) -> str:
    """A sentence of faults.txt about a plan."""
    return PROMPTS.line(language, "faults", key, **fields)
