"""What a model is asked of answers: point-wise one request an answer, pair-wise one request an order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from benchmark.labelling.answers import AnswerKind
from benchmark.labelling.comparing.case import Case
from benchmark.models import ChatRequest
from benchmark.text.prompts import Prompts

Method = Literal["pointwise", "pairwise"]


@dataclass(frozen=True, slots=True)
class Questions:
    """What models that compare are asked: the templates NOUN_system and NOUN_user, pair_system and pair_user, rubric,
    and the list `lines` with what stands in place of an answer that is not there.

    noun: with which names of templates and of their fields begin. nothing: the key in `lines`. json_object: whether
    they answer with a JSON object, else with the points or the choice alone.
    """

    prompts: Prompts
    noun: str = "plan"
    nothing: str = "no_plan"
    json_object: bool = True

    @property
    def edition(self) -> str:
        """The versions of both languages, since a study may hold tasks of either."""
        return self.prompts.edition


_FOLDER = Path(__file__).parent
QUESTIONS: Mapping[AnswerKind, Questions] = {
    "plan": Questions(Prompts(_FOLDER / "prompts")),
    "words": Questions(Prompts(_FOLDER / "prompts_words"), "answer", "nothing"),
}
"""Those of suites that bring none of their own, by what their answer is."""
TRIES = 3
"""Unusable answers to one request until the item is given up."""
TEMPERATURE = 0.0


def single_request(case: Case, asked: Questions) -> ChatRequest:
    """Points for one answer, which says nothing of any other."""
    fields = {"request": case.request, asked.noun: _answer(case, asked)}
    return _request(case, asked, f"{asked.noun}_system", f"{asked.noun}_user", fields)


def pair_request(first: Case, second: Case, asked: Questions) -> ChatRequest:
    """The better one of two answers to one request; the first is called A."""
    sides = {f"{asked.noun}_a": _answer(first, asked), f"{asked.noun}_b": _answer(second, asked)}
    return _request(first, asked, "pair_system", "pair_user", {"request": first.request, **sides})


def _answer(case: Case, asked: Questions) -> str:
    answer = case.answer or asked.prompts.line(case.language, "lines", asked.nothing)
    return "\n\n".join(filter(None, (answer, case.surroundings)))


def _request(case: Case, asked: Questions, system: str, user: str, fields: Mapping[str, str]) -> ChatRequest:
    language, prompts = case.language, asked.prompts
    told = prompts.fill(language, system, rubric=prompts.fill(language, "rubric"))
    shown = _sendable(prompts.fill(language, user, **fields))
    messages = ({"role": "system", "content": told}, {"role": "user", "content": shown})
    return ChatRequest(messages, temperature=TEMPERATURE, json_object=asked.json_object)


def _sendable(text: str) -> str:
    """Half a surrogate pair, which published tasks may hold, can't be sent."""
    return text.encode("utf-8", "replace").decode()
