"""Answers as they can be stored and sent on: without half letters and NUL, wherever the server put them."""

from __future__ import annotations

from dataclasses import replace

from benchmark.models.answers import storable
from benchmark.models.chat import Reply, RequestedCall


def storable_reply(reply: Reply) -> Reply:
    """The same answer; what is no text in Unicode became U+FFFD."""
    return replace(
        reply,
        text=storable(reply.text),
        reasoning=storable(reply.reasoning),
        calls=tuple(map(_call, reply.calls)),
        finish_reason=storable(reply.finish_reason),
        model=storable(reply.model),
    )


def _call(call: RequestedCall) -> RequestedCall:
    return RequestedCall(storable(call.id), storable(call.name), storable(call.arguments))
