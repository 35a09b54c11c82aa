"""What a user says beside the constraints, in the session's language: a table of sentences each."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from benchmark.text.prompts import Prompts

PROMPTS: Final = Prompts(Path(__file__).parent / "prompts")
_TABLE: Final = "sentences"


def say(language: str, key: str, **fields: object) -> str:
    """A sentence of the table."""
    return PROMPTS.line(language, _TABLE, key, **fields)


def knows(language: str, key: str) -> bool:
    """Whether the table has a sentence."""
    return PROMPTS.has_line(language, _TABLE, key)
