"""How a session that is run again differs from its recording."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import Any, ClassVar

from benchmark.cassettes.wording import both, first_difference_of, line_of, same, shorten
from benchmark.core.engine import ToolsOver
from benchmark.models.chat import ChatRequest, Message
from benchmark.models.exchange import Exchange


class Mismatch(RuntimeError):
    """Something was asked that was not asked when the session was recorded; the message says what and where."""

    at_end: ClassVar[bool] = False


class EndOfCassette(Mismatch, ToolsOver):
    """Something was asked after everything that was recorded."""

    at_end: ClassVar[bool] = True


def mismatch_of(exchange: Exchange, seat: str, request: ChatRequest) -> str:
    """How a request differs from the recorded one, in words; "" when the recorded answer belongs to it."""
    if seat != exchange.seat:
        return f"another seat asked: recorded {exchange.seat}, now {seat}"
    recorded = exchange.request
    return (
        _messages(recorded.messages, request.messages)
        or _tools(recorded.tools, request.tools)
        or _setting("temperature", recorded.temperature, request.temperature)
        or _setting("json_object", recorded.json_object, request.json_object)
        or _setting("top_p", recorded.top_p, request.top_p)
    )


def _messages(recorded: Iterable[Message], now: Iterable[Message]) -> str:
    pairs = enumerate(zip_longest(recorded, now), 1)
    return next((_message(k, one, other) for k, (one, other) in pairs if not same(one, other)), "")


def _message(k: int, recorded: Message | None, now: Message | None) -> str:
    if recorded is None or now is None:
        return _unpaired_words(k, recorded, now)
    if not same(recorded.get("role"), now.get("role")):
        return (
            f"message {k} was recorded of role {recorded.get('role')}, {_message_excerpt(recorded)}, "
            f"now it is of role {now.get('role')}, {_message_excerpt(now)}"
        )
    name = f"message {k} of role {recorded.get('role')} differs"
    one, other = recorded.get("content"), now.get("content")
    if isinstance(one, str) and isinstance(other, str) and one != other:
        at = first_difference_of(one, other)
        was, is_now = both(one, other)
        return f"{name} at line {line_of(one, at)}: recorded {was}, now {is_now}"
    field = next(key for key in [*recorded, *now] if not same(recorded.get(key), now.get(key)))
    was, is_now = both(recorded.get(field), now.get(field))
    return f"{name} in {field}: recorded {was}, now {is_now}"


def _unpaired_words(k: int, recorded: Message | None, now: Message | None) -> str:
    if now is None:
        assert recorded is not None
        return f"message {k} of role {recorded.get('role')} is missing: recorded {_message_excerpt(recorded)}"
    return f"message {k} of role {now.get('role')} was not there: now {_message_excerpt(now)}"


def _message_excerpt(message: Message) -> str:
    return shorten(message.get("content") or message.get("tool_calls") or "")


def _tools(recorded: Iterable[Mapping[str, Any]], now: Iterable[Mapping[str, Any]]) -> str:
    one, other = _by_name(recorded), _by_name(now)
    if missing := [name for name in one if name not in other]:
        return f"tools differ: {', '.join(missing)} can no longer be called"
    if new := [name for name in other if name not in one]:
        return f"tools differ: {', '.join(new)} could not be called"
    changed = next((name for name in one if not same(one[name], other[name])), None)
    if changed is None:
        return "" if list(one) == list(other) else "tools differ: they come in another order"
    was, is_now = both(one[changed], other[changed])
    return f"tools differ: {changed} is defined otherwise: recorded {was}, now {is_now}"


def _by_name(tools: Iterable[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    return {str(tool.get("function", {}).get("name", "")): tool for tool in tools}


def _setting(name: str, recorded: float | None, now: float | None) -> str:
    was, is_now = ("none" if value is None else f"{value:g}" for value in (recorded, now))
    return "" if recorded == now else f"{name} differs: recorded {was}, now {is_now}"
