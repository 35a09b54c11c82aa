"""From what a model wrote to the answer that it meant."""

from __future__ import annotations

import re

_FENCED = re.compile(r"\A```[^\n`]*\n(.*?)\n?```\Z", re.DOTALL)
_FENCE_WITHIN = re.compile(r"^```(?:json)?[ \t]*\n(.*?)\n```[ \t]*$", re.DOTALL | re.MULTILINE)


def answer_in(text: str) -> str:
    """A model's text without the code fence that it is wrapped in."""
    answer = text.strip()
    fenced = _FENCED.match(answer)
    return fenced[1].strip() if fenced else answer


def fenced_in(answer: str) -> str:
    """The first fenced block within an answer that says more, else the answer."""
    found = _FENCE_WITHIN.search(answer)
    return found[1].strip() if found else answer
