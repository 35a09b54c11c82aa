"""Tool names as models write them beside their templates' own marks."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from benchmark.models.chat import ChatRequest, Reply, RequestedCall
from benchmark.text import guarded

_PARTS = guarded.compile(r"[^\w-]+")


def with_offered_names(reply: Reply, request: ChatRequest) -> Reply:
    """The reply with calls of `functions.search:0`, `search<|channel|>commentary` and the like under the name of the
    tool that is meant: the only one that was offered under a part of the name."""
    offered = {name for tool in request.tools if (name := tool.get("function", {}).get("name"))}
    calls = tuple(_match_offered(call, offered) for call in reply.calls)
    changed = [
        f"tool {old.name} taken as {new.name}"
        for old, new in zip(reply.calls, calls, strict=True)
        if old != new
    ]
    return replace(reply, calls=calls).with_note("; ".join(dict.fromkeys(changed))) if changed else reply


def _match_offered(call: RequestedCall, offered: Collection[str]) -> RequestedCall:
    if call.name in offered:
        return call
    meant = {part for part in _PARTS.split(call.name) if part in offered}
    return replace(call, name=meant.pop()) if len(meant) == 1 else call
