"""Reading cassettes, and what became of sessions that ran on them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Literal

from django.db.models import Exists, OuterRef
from pydantic import TypeAdapter

from benchmark.cassettes import AFTER_OPENING, Cassette, Difference, differences
from benchmark.cassettes.cassette import FROM_OUTSIDE
from benchmark.cassettes.storage import StoredExchange, unpack_exchange
from benchmark.core.events import (
    ErrorRaised,
    Event,
    EventBody,
    ParticipantJoined,
    PersonalDataRemoved,
    SessionOpened,
)
from benchmark.models import Reply
from benchmark.models.exchange import Exchange
from webapp import clock
from webapp.cassettes.models import GivenAnswer, ModelExchange, ModelText
from webapp.seats.inbox import sent_to
from webapp.sessions.log import read_log, whole_log
from webapp.sessions.models import Event as StoredEvent
from webapp.sessions.models import Session

LONGEST_OPENING = 500
RecordedPart = Literal["models", "turns", ""]


def origin_of(session: Session) -> Session:
    """The session whose recording a replay runs on; a session that is none is its own."""
    return session.replay_of or session


def cassette_of(session: Session) -> Cassette:
    """What a session got from outside; of a replay, what it runs on."""
    recorded = origin_of(session)
    return Cassette(
        session=recorded.pk,
        agent=recorded.agent,
        users=recorded.users,
        log=tuple(whole_log(recorded.pk)),
        exchanges=tuple(_exchanges(recorded)),
        deliveries=tuple(sent_to(recorded.pk)),
    )


def _exchanges(session: Session) -> list[Exchange]:
    texts = ModelText.objects.filter(session=session).values_list("digest", "text")
    values = {digest: json.loads(text) for digest, text in texts}
    rows = ModelExchange.objects.filter(session=session).order_by("number")
    kept = rows.values("number", "seat", "request", "reply", "failure")
    return [unpack_exchange(StoredExchange.model_validate(row), values) for row in kept]


@dataclass(frozen=True, slots=True)
class AnsweredRequest:
    """The answer that is given to one request of a fork (`GivenAnswer`)."""

    seat: str
    number: int
    reply: Reply


def given_answer(session: Session) -> AnsweredRequest | None:
    """What answers a request of a session in place of its model, None of all but some forks."""
    row = GivenAnswer.objects.filter(session=session).first()
    if row is None:
        return None
    return AnsweredRequest(row.seat, row.number, TypeAdapter(Reply).validate_python(row.reply))


def recorded_in(session: Session) -> RecordedPart:
    """What there is to replay: model calls, turns without any, or nothing.

    Nothing where it ended before its first turn, was played elsewhere, or somebody's words were removed from it.
    """
    if session.imported:
        return ""
    events = StoredEvent.objects.filter(session=OuterRef("pk"))
    asked = Session.objects.filter(pk=session.replay_of_id or session.pk).values_list(
        Exists(events.filter(type=PersonalDataRemoved.model_fields["type"].default)),
        Exists(ModelExchange.objects.filter(session=OuterRef("pk"))),
        Exists(events.filter(type="turn_granted")),
    )
    removed, models, turns = asked.get()
    if removed:
        return ""
    return "models" if models else "turns" if turns else ""


@dataclass(frozen=True)
class Verdict:
    """How a replay compares to its recording.

    events: of the recording. difference: the first but in prompts' versions, None where there is no other. seats:
    whose prompts have another version now. why: what the replay broke off with, where it did at that difference.
    """

    events: int
    difference: Difference | None
    seats: tuple[str, ...] = ()
    why: str = ""

    @property
    def identical(self) -> bool:
        """Whether the replay told the same session."""
        return self.difference is None


def verdict_of(session: Session) -> Verdict | None:
    """The verdict on an ended replay, None while there is none."""
    if session.replay_of_id is None or not session.ended:
        return None
    return compare_logs(whole_log(session.replay_of_id), whole_log(session.pk))


def compare_logs(recorded: Sequence[Event], now: Sequence[Event]) -> Verdict:
    """How two logs compare."""
    seats: list[str] = []
    for difference in differences(recorded, now):
        if not _of_prompts(difference):
            return Verdict(len(recorded), difference, tuple(seats), _broken_off(now, difference))
        joined = now[difference.seq - 1].body
        assert isinstance(joined, ParticipantJoined)
        seats += [joined.seat] if joined.seat not in seats else []
    return Verdict(len(recorded), None, tuple(seats))


def _of_prompts(difference: Difference) -> bool:
    return (difference.type, difference.path) == ("participant_joined", "prompts")


def _broken_off(now: Sequence[Event], at: Difference) -> str:
    body = now[at.seq - 1].body if at.seq <= len(now) else None
    return body.detail if isinstance(body, ErrorRaised) else ""


def opening_of(session: Session, *, seed: int) -> list[Event]:
    """The events that a session of the same setup begins with, with this seed; of a fork, those of its origin."""
    log = list(read_log(session, limit=LONGEST_OPENING))
    begun = takewhile(
        lambda event: event.body.type not in AFTER_OPENING and not _came_later(event, log[0]), log
    )
    now, later = clock.now(), seed - session.seed
    return [replace(event, body=_with_seed(event.body, seed, later), at=now) for event in begun]


def _came_later(event: Event, first: Event) -> bool:
    """Whether it happened at a seat after the opening, whose events have one time."""
    return event.body.type in FROM_OUTSIDE and event.at != first.at


def _with_seed(body: EventBody, seed: int, later: int) -> EventBody:
    """later: trials after the one that it is of, by which the seeds of models count up too."""
    if isinstance(body, SessionOpened):
        return body.model_copy(update={"seed": seed})
    if isinstance(body, ParticipantJoined) and body.model is not None and body.model.seed is not None:
        asked = body.model.model_copy(update={"seed": body.model.seed + later})
        return body.model_copy(update={"model": asked})
    return body
