"""Whether a request fits the context of the model that is asked."""

from __future__ import annotations

import math

from benchmark.judging.verdict import Fault
from benchmark.models import ChatRequest, ModelFailure, ModelSetup, Reply
from benchmark.text import guarded

_WIDE = guarded.compile(r"[\u3000-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
_WIDE_TOKENS, _OTHER_TOKENS = 0.4, 0.15
"""Tokens a character, fewer than today's tokenizers make of running text (about 0.6 and 0.25)."""


def least_tokens(request: ChatRequest) -> int:
    """An estimate of a request's tokens from its characters, on the low side."""
    text = "".join(str(message["content"]) for message in request.messages)
    wide = len(_WIDE.findall(text))
    return math.ceil(wide * _WIDE_TOKENS + (len(text) - wide) * _OTHER_TOKENS)


def refuse_overlong(request: ChatRequest, setup: ModelSetup) -> None:
    """Ask no model what it can't read: some servers silently leave out the beginning.

    Raises:
        ModelFailure: `overflow`, the request is longer than the endpoint's context limit by any count.
    """
    needed, limit = least_tokens(request), setup.context_limit
    if limit is not None and needed > limit:
        message = (
            f"{setup.name}: the transcript has at least {needed:,} tokens by a low estimate, and the context limit "
            f"is {limit:,}; judge it by a model with a larger context, or correct the endpoint's context limit"
        )
        raise ModelFailure("overflow", message)


def over_limit(reply: Reply, setup: ModelSetup) -> list[Fault]:
    """The fault of an answer to a request that was longer than the context limit, as the server counts."""
    usage, limit = reply.usage, setup.context_limit
    if usage is None or limit is None or usage.prompt <= limit:
        return []
    return [Fault("over_limit", detail=f"{usage.prompt:,} > {limit:,}")]
