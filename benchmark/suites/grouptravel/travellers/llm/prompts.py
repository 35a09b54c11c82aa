"""The prompts of the simulated traveller (GroupTravelBench, A.5 and D.8)."""

from __future__ import annotations

from pathlib import Path

from benchmark.text.prompts import Prompts

PROMPTS = Prompts(Path(__file__).parent / "prompts", equals=": ", mark="\0")
