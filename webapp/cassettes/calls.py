"""One request to a model with what came of it, as pages show it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from benchmark.cassettes.storage import StoredExchange, digests_of, unpack_exchange
from benchmark.core.events import Event, ModelCalled, ParticipantJoined, SessionOpened
from benchmark.models import ModelSetup
from benchmark.models.exchange import Exchange
from benchmark.models.sending import arguments, body
from webapp.cassettes.models import ModelExchange, ModelText
from webapp.cassettes.selectors import origin_of
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session

SHOWN_CHARACTERS = 8_000
"""Characters of a text that are shown at once."""
OPENED_CHARACTERS = 60_000
"""Characters of all messages of a request that are shown at once; the last new ones come first."""
CONTINUES = 200
"""A message that begins with so many characters of the former request's, or more, is shown from where it differs."""


@dataclass(frozen=True, slots=True)
class RequestMessage:
    """A message of a request. number: from 1. text: its content, its tool calls and its reasoning in words.

    new: the seat's former request did not have it. known_characters: how many characters at its beginning that
    request had. open: it is shown at once.
    """

    number: int
    role: str
    text: str
    new: bool
    known_characters: int = 0
    open: bool = False

    @property
    def size(self) -> int:
        """Characters."""
        return len(self.text)

    @property
    def shown_text(self) -> str:
        """What a page shows at once: what is new, up to a limit."""
        return self.text[self.known_characters : self.known_characters + SHOWN_CHARACTERS]

    @property
    def more(self) -> int:
        """How many characters are left out after that."""
        return max(0, self.size - self.known_characters - SHOWN_CHARACTERS)


@dataclass(frozen=True)
class Call:
    """A `model_called` event of a session with its recorded exchange, None where none is kept.

    setup: how the model was called, None in logs that do not tell it. former: the seat's exchange before, None for
    its first. before, after: the numbers of the calls' events around this one, of any seat.
    """

    session: Session
    event: Event
    call_event: ModelCalled
    setup: ModelSetup | None
    language: Any
    exchange: Exchange | None
    former: Exchange | None
    before: int | None
    after: int | None

    @property
    def seq(self) -> int:
        """The number of its event."""
        return self.event.seq

    @cached_property
    def arguments(self) -> dict[str, Any]:
        """What was sent, as arguments of `chat.completions.create`."""
        assert self.exchange is not None
        return self._arguments(self.exchange)

    @cached_property
    def body(self) -> dict[str, Any]:
        """What was sent, as JSON."""
        return body(self.arguments)

    @property
    def parameters(self) -> list[tuple[str, str]]:
        """What was sent beside messages and tools."""
        rest = ((name, value) for name, value in self.body.items() if name not in ("messages", "tools"))
        return [(name, value if isinstance(value, str) else json.dumps(value)) for name, value in rest]

    @cached_property
    def tools(self) -> list[tuple[str, str]]:
        """The names and definitions of the tools that were offered."""
        return [(_tool_name(tool), as_json(tool)) for tool in self.body.get("tools", ())]

    @cached_property
    def messages(self) -> list[RequestMessage]:
        """The messages that were sent."""
        former = self._arguments(self.former)["messages"] if self.former else []
        known = Counter(map(as_json, former))
        return _open_new_messages(
            self._request_message(
                number, message, known, former[number - 1] if number <= len(former) else None
            )
            for number, message in enumerate(self.body["messages"], 1)
        )

    @property
    def new(self) -> int:
        """How many messages are new."""
        return sum(message.new for message in self.messages)

    def _arguments(self, exchange: Exchange) -> dict[str, Any]:
        if self.setup is None:
            return {"messages": list(exchange.request.messages), "tools": list(exchange.request.tools)}
        return arguments(self.setup, exchange.request, self.language)

    def _request_message(self, number: int, message: Any, known: Counter[str], former: Any) -> RequestMessage:
        text, role = text_of(message), str(message.get("role", ""))
        if known[as_json(message)]:
            known[as_json(message)] -= 1
            return RequestMessage(number, role, text, new=False)
        same = _common(text, text_of(former)) if former and former.get("role") == role else 0
        return RequestMessage(number, role, text, new=True, known_characters=same if same >= CONTINUES else 0)


def _open_new_messages(messages: Iterable[RequestMessage]) -> list[RequestMessage]:
    """The messages with those marked that are shown at once."""
    room, marked = OPENED_CHARACTERS, list[RequestMessage]()
    for message in reversed(list(messages)):
        room -= len(message.shown_text) if message.new else 0
        marked.append(replace(message, open=message.new and room >= 0))
    return marked[::-1]


def as_json(value: Any) -> str:
    """A value as JSON over several lines."""
    return json.dumps(value, ensure_ascii=False, indent=2, default=dict)


def text_of(message: Any) -> str:
    """A message's content as it is, then what else it holds, as JSON."""
    content = message.get("content")
    parts = [content if isinstance(content, str) else as_json(content)] if content else []
    rest = {name: value for name, value in message.items() if name not in ("role", "content")}
    return "\n\n".join([*parts, *([as_json(rest)] if rest else [])])


def _tool_name(tool: Any) -> str:
    return str(tool.get("function", {}).get("name", ""))


def _common(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginnings."""
    low, high = 0, min(len(one), len(other))
    while low < high:  # comparing slices is many times faster than comparing characters
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


def call_at(session: Session, seq: int) -> Call | None:
    """The call whose event has this number, None where there is no such."""
    log = whole_log(session.pk)
    event = log[seq - 1] if 0 < seq <= len(log) else None
    if event is None or not isinstance(event.body, ModelCalled):
        return None
    calls = [event for event in log if isinstance(event.body, ModelCalled)]
    place, seat = calls.index(event), event.body.seat
    former = next((n for n in range(place, 0, -1) if _seat(calls[n - 1]) == seat), 0)
    exchanges = _exchanges(session, [place + 1, *([former] if former else [])])
    return Call(
        session=session,
        event=event,
        call_event=event.body,
        setup=_setup(log[: seq - 1], seat),
        language=next((event.body.language for event in log if isinstance(event.body, SessionOpened)), "zh"),
        exchange=exchanges.get(place + 1),
        former=exchanges.get(former),
        before=calls[place - 1].seq if place else None,
        after=calls[place + 1].seq if place + 1 < len(calls) else None,
    )


def _seat(event: Event) -> str:
    assert isinstance(event.body, ModelCalled)
    return event.body.seat


def _setup(log: Sequence[Event], seat: str) -> ModelSetup | None:
    joined = (event.body for event in reversed(log) if isinstance(event.body, ParticipantJoined))
    return next((body.model for body in joined if body.seat == seat), None)


def _exchanges(session: Session, numbers: Sequence[int]) -> dict[int, Exchange]:
    """The recorded exchanges of these numbers, as far as they are kept whole."""
    recorded = origin_of(session)
    rows = ModelExchange.objects.filter(session=recorded, number__in=numbers)
    kept = [
        StoredExchange.model_validate(row)
        for row in rows.values("number", "seat", "request", "reply", "failure")
    ]
    wanted = {digest for exchange in kept for digest in digests_of(exchange)}
    texts = ModelText.objects.filter(session=recorded, digest__in=wanted).values_list("digest", "text")
    values = {digest: json.loads(text) for digest, text in texts}
    return {
        exchange.number: unpack_exchange(exchange, values)
        for exchange in kept
        if values.keys() >= set(digests_of(exchange))
    }
