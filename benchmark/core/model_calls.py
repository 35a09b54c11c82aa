"""Makes the event of a request to a model."""

from __future__ import annotations

from benchmark.core.events import ModelCalled, Tokens
from benchmark.models import ModelFailure, ModelSetup, Reply, Usage
from benchmark.models.answers import storable
from benchmark.models.cost import cost

_DETAIL = 600


def answered_call(seat: str, setup: ModelSetup, reply: Reply, *, attempt: int, request: str) -> ModelCalled:
    """An answered request. request: its digest."""
    return ModelCalled(
        seat=seat,
        endpoint=setup.name,
        model=reply.model or setup.model,
        attempt=attempt,
        finish_reason=reply.finish_reason,
        tokens=_tokens(reply.usage),
        cost=cost(setup, reply.usage),
        currency=setup.currency,
        latency_ms=reply.latency_ms,
        first_ms=reply.first_ms,
        request=request,
    )


def unanswered_call(
    seat: str,
    setup: ModelSetup,
    failure: ModelFailure,
    *,
    attempt: int,
    request: str,
    retry_in_s: float | None,
) -> ModelCalled:
    """A request without an answer. retry_in_s: the pause before the next, None where there is none."""
    return ModelCalled(
        seat=seat,
        endpoint=setup.name,
        model=setup.model,
        attempt=attempt,
        outcome=failure.kind,
        status=failure.status,
        detail=storable(str(failure))[:_DETAIL],
        answering=failure.answering,
        tokens=_tokens(failure.usage),
        cost=cost(setup, failure.usage),
        currency=setup.currency,
        latency_ms=failure.latency_ms,
        retry_in_s=retry_in_s,
        request=request,
    )


def _tokens(usage: Usage | None) -> Tokens | None:
    if usage is None:
        return None
    return Tokens(
        prompt=usage.prompt, completion=usage.completion, cached=usage.cached, reasoning=usage.reasoning
    )
