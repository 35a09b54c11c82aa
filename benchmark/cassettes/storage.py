"""Exchanges as they are stored: what requests repeat stands once, by digest."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from itertools import zip_longest
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from benchmark.cassettes.wording import canonical
from benchmark.models.chat import ChatRequest, Message, Reply
from benchmark.models.exchange import Exchange, Failure
from benchmark.models.tokens import TokenLog

_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
Tools = tuple[Mapping[str, Any], ...]
DIGEST = 32
"""Hexadecimal digits."""


def as_text(value: Any) -> str:
    """JSON in one line. Half a surrogate pair, which neither files nor databases take, is U+FFFD in it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode()  # takes a tenth of the time that looking for half a pair does
    except UnicodeEncodeError:
        return _HALF_CHARACTER.sub("\ufffd", text)
    return text


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
        if self.reply is not None and self.reply.tokens is None:
            del plain["reply"]["tokens"]
        return plain


class ExchangePacker:
    """Packs the exchanges of a session one by one: what a request repeats of the one before keeps its digest."""

    def __init__(self) -> None:
        self._messages: list[tuple[Message, str]] = []
        self._tools: tuple[Tools, str] = (), ""

    def pack(self, exchange: Exchange) -> tuple[StoredExchange, dict[str, Any]]:
        """The stored form of an exchange, and by digest the messages and tools that it refers to."""
        request = exchange.request
        before = zip_longest(request.messages, self._messages[: len(request.messages)])
        self._messages = [(message, _digest_after(message, known)) for message, known in before]
        if request.tools is not self._tools[0]:
            self._tools = request.tools, _digest(request.tools) if request.tools else ""
        by = StoredRequest(
            messages=tuple(digest for _, digest in self._messages),
            tools=self._tools[1],
            temperature=request.temperature,
            json_object=request.json_object,
            top_p=request.top_p,
        )
        kept = StoredExchange.model_construct(
            number=exchange.number,
            seat=exchange.seat,
            request=by,
            reply=exchange.reply,
            failure=exchange.failure,
        )
        values: dict[str, Any] = {digest: dict(message) for message, digest in self._messages}
        return kept, {**values, by.tools: [dict(tool) for tool in request.tools]} if request.tools else values


def _digest_after(message: Message, known: tuple[Message, str] | None) -> str:
    """known: the message in this place of the request before, with its digest."""
    if known is not None and (message is known[0] or _are_same_texts(message, known[0])):
        return known[1]
    return _digest(message)


def _are_same_texts(one: Message, other: Message) -> bool:
    """Whether two messages are the same texts; of what is no text, True equals 1."""
    return one.keys() == other.keys() and all(
        isinstance(value, str) and value == other[key] for key, value in one.items()
    )


def pack_exchange(exchange: Exchange) -> tuple[StoredExchange, dict[str, Any]]:
    """The stored form of an exchange alone (`ExchangePacker.pack`)."""
    return ExchangePacker().pack(exchange)


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


def rewrite_reply(
    plain: Mapping[str, Any], change: Callable[[Any], Any], change_text: Callable[[str], str]
) -> dict[str, Any]:
    """A reply as JSON with its texts changed, to take somebody's words out of it.

    Its tokens hold the same texts in pieces: they are left out where anything of the reply, or of their own text,
    changes. change: of JSON; change_text: of a text.
    """
    rest = {name: value for name, value in plain.items() if name != "tokens"}
    changed: dict[str, Any] = change(rest)
    if plain.get("tokens") is None or changed != rest:
        return changed
    try:
        text = TokenLog(**plain["tokens"]).text
    except ValueError:
        return changed
    return changed if change_text(text) != text else {**changed, "tokens": plain["tokens"]}


def _digest(value: Any) -> str:
    return hashlib.sha256(canonical(value).encode("utf-8", "surrogatepass")).hexdigest()[:DIGEST]
