"""From what a chat endpoint sent to the answer that its model meant."""

from __future__ import annotations

import re

from pydantic import BaseModel, Field

_REASONING = re.compile(r"\A\s*<think>.*?(?:</think>|\Z)|\A(?:(?!<think>).)*?</think>", re.DOTALL)
"""A block of reasoning at the start. Some servers drop its opening tag; one that never closes is all there is."""
_FENCED = re.compile(r"\A```[^\n`]*\n(.*?)\n?```\Z", re.DOTALL)
_FENCE_WITHIN = re.compile(r"^```(?:json)?[ \t]*\n(.*?)\n```[ \t]*$", re.DOTALL | re.MULTILINE)


class _Message(BaseModel):
    content: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class Completion(BaseModel):
    """The fields of a chat completion that matter here; compatible servers differ in the others."""

    choices: list[_Choice] = Field(min_length=1)

    @property
    def cut_off(self) -> bool:
        """Whether the server ended the answer before the model did."""
        return self.choices[0].finish_reason == "length"

    @property
    def text(self) -> str:
        """The first choice's text, empty where it has none."""
        return self.choices[0].message.content or ""


def answer_in(text: str) -> str:
    """A model's text without reasoning, and without the code fence that it is wrapped in."""
    answer = _REASONING.sub("", text, count=1).strip()
    fenced = _FENCED.match(answer)
    return fenced[1].strip() if fenced else answer


def fenced_in(answer: str) -> str:
    """The first fenced block within an answer that says more, else the answer."""
    found = _FENCE_WITHIN.search(answer)
    return found[1].strip() if found else answer
