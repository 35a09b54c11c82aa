"""What a simulator over a model and the agent are told: the templates, and what is wrong with an answer."""

from __future__ import annotations

from pathlib import Path

from sandbox.prompts import Prompts
from sandbox.tools.language import Says

FOLDER = Path(__file__).parent / "prompts"
PROMPTS = Prompts(FOLDER)


def problem_words(key: str, /, **fields: str | Says) -> Says:
    """A line of problems.txt in both languages; a field may be such words itself."""
    zh, en = (
        PROMPTS.line(
            language,
            "problems",
            key,
            **{
                name: value.to(language) if isinstance(value, Says) else value
                for name, value in fields.items()
            },
        )
        for language in ("zh", "en")
    )
    return Says(zh, en)
