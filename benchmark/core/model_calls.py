"""Makes the event of a request to a model."""

from __future__ import annotations

from typing import Any

from benchmark.core.events import ModelCalled
from benchmark.models import ChatRequest, ModelFailure, ModelSetup, Reply
from benchmark.models.answers import storable
from benchmark.models.cost import cost
from benchmark.models.digest import digest

_DETAIL = 600


def model_called(
    seat: str,
    setup: ModelSetup,
    request: ChatRequest,
    outcome: Reply | ModelFailure,
    *,
    attempt: int,
    retry_in_s: float | None = None,
) -> ModelCalled:
    """A request with what came of it. retry_in_s: the pause before the next, None where there is none."""
    came: dict[str, Any]
    if isinstance(outcome, Reply):
        came = {
            "model": outcome.model or setup.model,
            "finish_reason": outcome.finish_reason,
            "first_ms": outcome.first_ms,
            "note": outcome.note[:_DETAIL],
            "logprobs": outcome.tokens.count if outcome.tokens else 0,
        }
    else:
        came = {
            "model": setup.model,
            "outcome": outcome.kind,
            "status": outcome.status,
            "detail": storable(str(outcome))[:_DETAIL],
            "answering": outcome.answering,
            "retry_in_s": retry_in_s,
        }
    return ModelCalled(
        seat=seat,
        endpoint=setup.name,
        attempt=attempt,
        tokens=outcome.usage,
        cost=cost(setup, outcome.usage),
        currency=setup.currency,
        latency_ms=outcome.latency_ms,
        request=digest(request, setup.model),
        **came,
    )
