"""Exchanges as they are stored: what requests repeat stands once, by digest."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from benchmark.cassettes.wording import canonical
from benchmark.models.chat import ChatRequest, Reply
from benchmark.models.exchange import Exchange, Failure

_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
DIGEST = 32
"""Hexadecimal digits."""


def as_text(value: Any) -> str:
    """JSON in one line. Half a surrogate pair, which neither files nor databases take, is U+FFFD in it."""
    return _HALF_CHARACTER.sub("\ufffd", json.dumps(value, ensure_ascii=False, separators=(",", ":")))


class StoredRequest(BaseModel):
    """messages: their digests. tools: the digest of the list, empty where there are none. top_p: written only where
    there is one, so that older versions read what they know.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    messages: tuple[str, ...]
    tools: str = ""
    temperature: float
    json_object: bool
    top_p: float | None = None


class StoredExchange(BaseModel):
    """An `Exchange` whose request names its messages and tools by digest."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    number: int = Field(ge=1)
    seat: str
    request: StoredRequest
    reply: Reply | None = None
    failure: Failure | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> StoredExchange:
        if (self.reply is None) == (self.failure is None):
            raise ValueError("either a reply or a failure is needed")
        return self

    def plain(self) -> dict[str, Any]:
        """As JSON."""
        plain = self.model_dump(mode="json")
        if self.request.top_p is None:
            del plain["request"]["top_p"]
        return plain


def pack_exchange(exchange: Exchange) -> tuple[StoredExchange, dict[str, Any]]:
    """The stored form of an exchange, and by digest the messages and tools that it refers to."""
    request = exchange.request
    digests = tuple(map(_digest, request.messages))
    values: dict[str, Any] = dict(zip(digests, map(dict, request.messages), strict=True))
    tools = [dict(tool) for tool in request.tools]
    by = StoredRequest(
        messages=digests,
        tools=_digest(tools) if tools else "",
        temperature=request.temperature,
        json_object=request.json_object,
        top_p=request.top_p,
    )
    kept = StoredExchange.model_construct(
        number=exchange.number, seat=exchange.seat, request=by, reply=exchange.reply, failure=exchange.failure
    )
    return kept, {**values, by.tools: tools} if tools else values


def unpack_exchange(kept: StoredExchange, values: Mapping[str, Any]) -> Exchange:
    """The exchange again. values: what the texts hold, by digest.

    Raises:
        KeyError: a text is missing; its argument is the digest.
    """
    request = ChatRequest(
        messages=tuple(values[digest] for digest in kept.request.messages),
        tools=tuple(values[kept.request.tools]) if kept.request.tools else (),
        temperature=kept.request.temperature,
        json_object=kept.request.json_object,
        top_p=kept.request.top_p,
    )
    return Exchange(kept.number, kept.seat, request, kept.reply, kept.failure)


def digests_of(kept: StoredExchange) -> Iterable[str]:
    """The texts that an exchange refers to."""
    return [*kept.request.messages, *filter(None, [kept.request.tools])]


def _digest(value: Any) -> str:
    return hashlib.sha256(canonical(value).encode("utf-8", "surrogatepass")).hexdigest()[:DIGEST]
