"""The identity of a request: what a recorded answer is found by."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from benchmark.models.chat import ChatRequest


def canonical(request: ChatRequest) -> str:
    """The request as JSON in ASCII, with the keys of every object in order and without blanks.

    Texts, and so the arguments of former tool calls, count to the letter. A top_p is part of it only where there is
    one, so that requests without have the identity that they had before there were any.

    Raises:
        TypeError: a message or a tool holds what JSON can't.
    """
    content = {
        "messages": request.messages,
        "tools": request.tools,
        "temperature": float(request.temperature),
        "json_object": request.json_object,
    } | ({} if request.top_p is None else {"top_p": float(request.top_p)})
    return json.dumps(content, default=_plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def digest(request: ChatRequest, model: str) -> str:
    """SHA-256, in hexadecimal digits, of the model's name (`ModelSetup.model`) and the canonical request."""
    return hashlib.sha256(f"{json.dumps(model)}\n{canonical(request)}".encode()).hexdigest()


def _plain(value: object) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a request can't hold {type(value).__name__}")
