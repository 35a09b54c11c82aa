"""What a model is asked of plans: point-wise one request a plan, pair-wise one request an order."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from benchmark.labelling.comparing.case import Case
from benchmark.models import ChatRequest
from benchmark.text.prompts import Prompts

Method = Literal["pointwise", "pairwise"]
PROMPTS = Prompts(Path(__file__).parent / "prompts")
TRIES = 3
"""Unusable answers to one request until the item is given up."""
TEMPERATURE = 0.0


def prompts_version() -> str:
    """Of both languages, since a study may hold tasks of either."""
    return PROMPTS.edition


def plan_request(case: Case) -> ChatRequest:
    """Points for one plan, which says nothing of any other."""
    asked = PROMPTS.fill(case.language, "plan_user", request=case.request, plan=_plan(case))
    return _request(case, "plan_system", asked)


def pair_request(first: Case, second: Case) -> ChatRequest:
    """The better one of two plans for one request; the first is called A."""
    asked = PROMPTS.fill(
        first.language, "pair_user", request=first.request, plan_a=_plan(first), plan_b=_plan(second)
    )
    return _request(first, "pair_system", asked)


def _plan(case: Case) -> str:
    return case.plan or PROMPTS.line(case.language, "lines", "no_plan")


def _request(case: Case, template: str, asked: str) -> ChatRequest:
    system = PROMPTS.fill(case.language, template, rubric=PROMPTS.fill(case.language, "rubric"))
    messages = ({"role": "system", "content": system}, {"role": "user", "content": _sendable(asked)})
    return ChatRequest(messages, temperature=TEMPERATURE, json_object=True)


def _sendable(text: str) -> str:
    """Half a surrogate pair, which published tasks may hold, can't be sent."""
    return text.encode("utf-8", "replace").decode()
