"""What sessions give that is compared, by session: plans or words, as their benchmark declares."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any

from django.db.models import Q, TextField
from django.db.models.functions import Cast

from benchmark.agents.briefing import fence_plan
from benchmark.core.events import MessagePosted
from benchmark.core.view import AGENT
from benchmark.labelling.answers import exchange_of, exchange_text
from benchmark.suites import load_body, suite_named
from webapp.sessions.models import Event

MESSAGE_TYPE: str = MessagePosted.model_fields["type"].default
BATCH = 500
"""Sessions a query; SQLite takes about a thousand values in one."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a session gave. text: as agents write it. messages: as chat messages, the agent is the assistant.

    plain: without differences that no reader sees, by which answers are alike.
    """

    text: str
    messages: Sequence[dict[str, str]]
    plain: str


def answers_of(suite: str, ids: Iterable[str]) -> dict[str, Answer]:
    """The answer of each session of a benchmark; sessions without one are left out.

    A plan is that of the last event that holds one, else the last message in which one was found. Words are all
    that was said after the opening, up to the agent's last.
    """
    read = partial(_message_answers, suite) if suite_named(suite).rating.answer == "words" else _plan_answers
    wanted = list(dict.fromkeys(ids))
    answers: dict[str, Answer] = {}
    for begin in range(0, len(wanted), BATCH):
        answers.update(read(wanted[begin : begin + BATCH]))
    return answers


def _message_answers(suite: str, ids: list[str]) -> Iterator[tuple[str, Answer]]:
    rows = Event.objects.filter(session_id__in=ids, type=MESSAGE_TYPE).order_by("session_id", "seq")
    stored = rows.values_list("session_id", "type", "v", "payload")
    for session, events in groupby(stored.iterator(), key=lambda row: row[0]):
        bodies = [load_body(suite, *event) for _session, *event in events]
        exchange = exchange_of(body for body in bodies if isinstance(body, MessagePosted))
        if exchange:
            text = exchange_text(exchange)
            yield session, Answer(text, [_message(message) for message in exchange], _fold_text(text))


def _message(body: MessagePosted) -> dict[str, str]:
    return {"role": "assistant" if body.role == AGENT else "user", "content": body.content}


def _plan_answers(ids: list[str]) -> Iterator[tuple[str, Answer]]:
    rows = Event.objects.filter(session_id__in=ids).annotate(text=Cast("payload", TextField()))
    rows = rows.filter(Q(text__contains='"plan":{') | Q(text__contains='"has_plan":true'))
    stored = rows.order_by("session_id", "seq").values_list("session_id", "payload")
    for session, events in groupby(stored.iterator(), key=lambda row: row[0]):
        payloads = [payload for _session, payload in events]
        plans = [payload["plan"] for payload in payloads if isinstance(payload.get("plan"), dict)]
        told = [str(payload.get("content", "")) for payload in payloads if payload.get("has_plan")]
        if plans or (told and told[-1].strip()):
            text = fence_plan(plans[-1]) if plans else told[-1]
            plain = (
                json.dumps(_plain(plans[-1]), ensure_ascii=False, sort_keys=True)
                if plans
                else _fold_text(text)
            )
            yield session, Answer(text, [{"role": "assistant", "content": text}], plain)


def _fold_text(text: str) -> str:
    return " ".join(text.split()).casefold()


def _plain(value: Any) -> Any:
    """Without differences that no reader sees: spaces, the case of letters, 50 or 50.0, empty or absent."""
    match value:
        case dict():
            kept = {key: _plain(inner) for key, inner in value.items()}
            return {key: inner for key, inner in kept.items() if inner not in (None, "", [], {})}
        case list():
            return [_plain(inner) for inner in value]
        case str():
            return _fold_text(value)
        case float() if value.is_integer():
            return int(value)
    return value
