"""What an experiment will cost, before it is begun."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from benchmark.core.events import ModelCalled
from benchmark.judging.room import least_tokens
from benchmark.models import ChatRequest, ModelSetup, Usage
from benchmark.models.cost import cost

_HIGH = 5 / 3
"""`least_tokens` is on the low side by so much."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """prompt: tokens of a request. usual, most: of all answers, in `currency`.

    usual is for answers as long as the original's, most for those that take all tokens that they may. None where the
    original's length, or a price, is not known.
    """

    prompt: int
    times: int
    usual: float | None
    most: float | None
    currency: str
    max_tokens: int


def estimate(
    call: ModelCalled, original: ChatRequest, request: ChatRequest, setup: ModelSetup, times: int
) -> Estimate:
    """call: how the original request was answered; its tokens scale by the length of the edited one."""
    prompt = _prompt_tokens(call, original, request)
    usual = None if call.tokens is None else cost(setup, Usage(prompt, call.tokens.completion))
    most = cost(setup, Usage(prompt, setup.max_tokens))
    return Estimate(
        prompt,
        times,
        None if usual is None else usual * times,
        None if most is None else most * times,
        setup.currency,
        setup.max_tokens,
    )


def _prompt_tokens(call: ModelCalled, original: ChatRequest, request: ChatRequest) -> int:
    if call.tokens is not None and call.tokens.prompt and (length := _length(original)):
        return round(call.tokens.prompt * _length(request) / length)
    return round(least_tokens(request) * _HIGH + len(_text(request.tools)) / 4)


def _length(request: ChatRequest) -> int:
    return len(_text([*request.messages, *request.tools]))


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=dict)
