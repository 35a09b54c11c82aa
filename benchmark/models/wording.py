"""What models are told here, whoever uses them: how to call tools in plain text, and the questions of a test."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from benchmark.text.prompts import Prompts

PROMPTS = Prompts(Path(__file__).parent / "prompts")
PROBE_LANGUAGE: Final = "en"
"""Endpoints are tested in it alone, so that results can be compared."""


def probe_words(key: str) -> str:
    """A line of probe.txt."""
    return PROMPTS.line(PROBE_LANGUAGE, "probe", key)
