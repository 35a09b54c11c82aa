"""What a model is asked of answers: point-wise one request an answer, pair-wise one request an order."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from benchmark.labelling.answers import AnswerKind
from benchmark.labelling.comparing.case import Case
from benchmark.models import ChatRequest
from benchmark.text.prompts import Prompts

Method = Literal["pointwise", "pairwise"]
PROMPTS: Mapping[AnswerKind, Prompts] = {
    "plan": Prompts(Path(__file__).parent / "prompts"),
    "words": Prompts(Path(__file__).parent / "prompts_words"),
}
_NOUN: Mapping[AnswerKind, str] = {"plan": "plan", "words": "answer"}
"""With which names of templates and of their fields begin."""
_NOTHING: Mapping[AnswerKind, str] = {"plan": "no_plan", "words": "nothing"}
TRIES = 3
"""Unusable answers to one request until the item is given up."""
TEMPERATURE = 0.0


def prompts_version(kind: AnswerKind) -> str:
    """Of both languages, since a study may hold tasks of either."""
    return PROMPTS[kind].edition


def single_request(case: Case) -> ChatRequest:
    """Points for one answer, which says nothing of any other."""
    noun = _NOUN[case.kind]
    asked = _fill(case, f"{noun}_user", request=case.request, **{noun: _answer(case)})
    return _request(case, f"{noun}_system", asked)


def pair_request(first: Case, second: Case) -> ChatRequest:
    """The better one of two answers to one request; the first is called A."""
    noun = _NOUN[first.kind]
    sides = {f"{noun}_a": _answer(first), f"{noun}_b": _answer(second)}
    return _request(first, "pair_system", _fill(first, "pair_user", request=first.request, **sides))


def _fill(case: Case, template: str, **fields: object) -> str:
    return PROMPTS[case.kind].fill(case.language, template, **fields)


def _answer(case: Case) -> str:
    answer = case.answer or PROMPTS[case.kind].line(case.language, "lines", _NOTHING[case.kind])
    return "\n\n".join(filter(None, (answer, case.surroundings)))


def _request(case: Case, template: str, asked: str) -> ChatRequest:
    system = _fill(case, template, rubric=_fill(case, "rubric"))
    messages = ({"role": "system", "content": system}, {"role": "user", "content": _sendable(asked)})
    return ChatRequest(messages, temperature=TEMPERATURE, json_object=True)


def _sendable(text: str) -> str:
    """Half a surrogate pair, which published tasks may hold, can't be sent."""
    return text.encode("utf-8", "replace").decode()
