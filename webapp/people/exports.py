"""What exports say of people: which seats they held, what they answered; and exports without their names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any

from django.db.models import Q

from benchmark.cassettes.storage import StoredExchange, pack_exchange, rewrite_reply, unpack_exchange
from benchmark.core.events import Event as LogEvent
from benchmark.core.events import ParticipantJoined, PresenceChanged
from benchmark.core.participant import OUTSIDE_KINDS
from benchmark.exports.session import ScoreLine, SessionExport
from benchmark.jsonlines import json_line
from benchmark.models.exchange import Exchange
from webapp.people.models import Guest
from webapp.people.personal import next_at
from webapp.people.words import whole_word
from webapp.seats.models import Role, Seat
from webapp.sessions.models import Event, MetricValue, Run, Session
from webapp.spreadsheets import csv_text

COLUMNS = (
    *("session", "run", "task", "trial", "seat", "person", "name", "program", "version"),
    *("first_event", "last_event", "consented_at", "joined_at", "left_at", "withdrew_at", "data_removed_at"),
    *("presence", "answered_at"),
)
"""Of a file of people, before the keys of the questions. No link and no completion code is among them."""
_JOIN_TYPE, _PRESENCE_TYPE = (
    kind.model_fields["type"].default for kind in (ParticipantJoined, PresenceChanged)
)


@dataclass(frozen=True, slots=True)
class SeatTenure:
    """That somebody held a seat of a session, from one of its events to another, both counted."""

    guest: Guest
    seat: str
    first: int
    last: int


def held_in(session: Session) -> list[SeatTenure]:
    """Who held seats of a session, or of the one that its log, or a part of it, is from."""
    origin, until = session.replay_of, None
    if origin is None and session.fork_of is not None:
        origin, until = session.fork_of, session.fork_seq
    tenures = held_in(origin) if origin is not None else []
    if until is not None:
        tenures = [replace(held, last=min(held.last, until)) for held in tenures if held.first <= until]
    guests = Guest.objects.filter(seat__session=session).select_related("seat").order_by("created_at", "pk")
    return [*tenures, *filter(None, (_tenure_of(session, guest) for guest in guests))]


def _tenure_of(session: Session, guest: Guest) -> SeatTenure | None:
    """From the first event after they came to the last before somebody else did; None of who came too late."""
    rows = Event.objects.filter(session=session)
    first = rows.filter(at__gte=guest.created_at).order_by("seq").values_list("seq", flat=True).first()
    if first is None:
        return None
    later = rows.filter(type=_JOIN_TYPE, seq__gt=first).order_by("seq").values_list("seq", "payload")
    others = (
        seq
        for seq, body in later
        if body.get("seat") == guest.seat.name and body.get("kind") not in OUTSIDE_KINDS
    )
    ends = [seq for seq in [next(others, None)] if seq is not None]
    if (at := next_at(guest)) is not None:
        ends += rows.filter(at__gte=at).order_by("seq").values_list("seq", flat=True)[:1]
    last = min(ends) - 1 if ends else session.last_seq
    return SeatTenure(guest, guest.seat.name, first, last) if first <= last else None


def has_people(sessions: Any) -> bool:
    """Whether people sit in some sessions, or have, in them or in those that their logs are from."""
    ids = sessions.values("pk")
    here = Q(seat__session__in=ids)
    origins = Session.objects.filter(Q(forks__in=ids) | Q(replays__in=ids)).values("pk")
    return Guest.objects.filter(here | Q(seat__session__in=origins)).exists()


# Names and pseudonyms. One export has one of these: P1 is the same person all through it.


@dataclass
class Naming:
    """How an export names people: by ids and names, or, `hidden`, by P1, P2 … in the order in which they came."""

    hidden: bool = False
    _pseudonyms: dict[str, str] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)

    def meet(self, guests: Iterable[Guest]) -> None:
        """Have these be known from here on, in texts too."""
        for guest in guests:
            known = self._pseudonyms.setdefault(guest.pk, f"P{len(self._pseudonyms) + 1}")
            if len(guest.name.strip()) > 1:
                self._names.setdefault(guest.name.strip(), known)

    def person(self, guest: Guest) -> str:
        """How a guest is called."""
        self.meet([guest])
        return self._pseudonyms[guest.pk] if self.hidden else guest.pk

    @property
    def _name_pattern(self) -> re.Pattern[str] | None:
        names = {**self._names, **self._pseudonyms}
        words = sorted(names, key=len, reverse=True)
        return re.compile("|".join(map(whole_word, words))) if words and self.hidden else None

    def text(self, text: str) -> str:
        """A text without names and ids."""
        names = {**self._names, **self._pseudonyms}
        wanted = self._name_pattern
        return wanted.sub(lambda met: names[met.group()], text) if wanted is not None else text

    def html(self, page: str) -> str:
        """The same of what stands between tags, where a name is written with entities."""
        if not self.hidden:
            return page
        escaped = Naming(True, self._pseudonyms, {escape(name): alias for name, alias in self._names.items()})
        return re.sub(r"(?<=>)[^<>]+(?=<)", lambda part: escaped.text(part.group()), page)

    def value(self, value: Any, key: str = "") -> Any:
        """The same of JSON. A value that is nothing but a name may be that of a place; what is said may not."""
        if isinstance(value, str):
            return value if value in self._names and key not in ("content", "text") else self.text(value)
        if isinstance(value, list | tuple):
            return [self.value(item, key) for item in value]
        if isinstance(value, dict):
            return {name: self.value(item, name) for name, item in value.items()}
        return value

    def line(self, line: str) -> str:
        """The same of a line of JSON, which stays as it is without names."""
        if not self.hidden or self.text(line) == line:
            return line
        return json_line(self.value(json.loads(line))).decode().rstrip("\n")

    def event(self, event: LogEvent) -> LogEvent:
        """The same of an event."""
        plain = event.body.model_dump(mode="json")
        if (named := self.value(plain)) == plain:
            return event
        return replace(event, body=type(event.body).model_validate(named))

    def exchange(self, exchange: Exchange) -> Exchange:
        """The same of what a model was asked and answered."""
        kept, values = pack_exchange(exchange)
        plain = kept.plain()
        reply = plain.pop("reply")
        named = self.value(plain) | {"reply": reply and rewrite_reply(reply, self.value, self.text)}
        again = StoredExchange.model_validate(named)
        return unpack_exchange(again, {digest: self.value(value) for digest, value in values.items()})

    def session(self, export: SessionExport) -> SessionExport:
        """The same of a whole session."""
        if not self.hidden:
            return export
        return replace(
            export,
            events=[self.event(event) for event in export.events],
            exchanges=[self.exchange(exchange) for exchange in export.exchanges],
            scores=[_score(self, score) for score in export.scores],
            record=self.line(export.record),
            notes=[self.value(dict(note)) for note in export.notes],
        )


def _score(naming: Naming, score: ScoreLine) -> ScoreLine:
    return replace(score, evidence=[naming.text(line) for line in score.evidence])


def met_in(sessions: Iterable[Session], naming: Naming) -> dict[str, list[SeatTenure]]:
    """Who held seats of some sessions, by session; the naming knows them all afterwards."""
    tenures = {session.pk: held_in(session) for session in sessions}
    guests = {held.guest.pk: held.guest for holders in tenures.values() for held in holders}
    naming.meet(sorted(guests.values(), key=lambda guest: (guest.created_at, guest.pk)))
    return {pk: holders for pk, holders in tenures.items() if holders}


# What exports say of them.


def personal(holders: Iterable[SeatTenure], naming: Naming) -> list[dict[str, Any]]:
    """The seats whose texts are a person's, each with the events between which they are; programs are none."""
    return [
        {"seat": held.seat, "person": naming.person(held.guest), "first": held.first, "last": held.last}
        for held in holders
        if not held.guest.program
    ]


def people(session: Session, holders: Iterable[SeatTenure], naming: Naming) -> list[dict[str, Any]]:
    """Who sat where, when they were there, and what they answered."""
    return [_person(session, held, naming) for held in holders]


def _person(session: Session, held: SeatTenure, naming: Naming) -> dict[str, Any]:
    guest = held.guest
    times = ("consented_at", "joined_at", "left_at", "withdrew_at", "data_removed_at", "answered_at")
    person: dict[str, Any] = {
        "session": session.pk,
        "run": session.run_id,
        "task": session.task.task_id,
        "trial": session.trial_id,
        "seat": held.seat,
        "person": naming.person(guest),
        "name": None if naming.hidden else guest.shown_name or None,
        "program": guest.program or None,
        "version": guest.version or None,
        "first_event": held.first,
        "last_event": held.last,
        **{name: at.isoformat() if (at := getattr(guest, name)) else None for name in times},
        "presence": presence_of(session, held),
        "answers": naming.value(dict(guest.answers), "text"),
    }
    return person


def presence_of(session: Session, held: SeatTenure) -> list[dict[str, Any]]:
    """When they joined, were away, came back, left: each change with its event and its time."""
    rows = Event.objects.filter(
        session=session, type=_PRESENCE_TYPE, seq__gte=held.first, seq__lte=held.last
    ).order_by("seq")
    return [
        {"event": row.seq, "at": row.at.isoformat(), "presence": row.payload.get("presence")}
        for row in rows
        if row.payload.get("seat") == held.seat
    ]


def mark_people(session: Session, line: bytes, naming: Naming | None = None) -> bytes:
    """The line of a run record with what is of people in it; as it is without any."""
    naming = naming or Naming()
    holders = met_in([session], naming).get(session.pk)
    if not holders:
        return line
    record = naming.value(json.loads(line)) if naming.hidden else json.loads(line)
    return json_line({**record, **personal_content(session, holders, naming)})


def personal_content(session: Session, holders: Iterable[SeatTenure], naming: Naming) -> dict[str, Any]:
    """`personal` and `people` of a session, where there are any."""
    tenures = list(holders)
    if not tenures:
        return {}
    return {"personal": personal(tenures, naming), "people": people(session, tenures, naming)}


def people_csv(rows: Iterable[Mapping[str, Any]]) -> str:
    """A line a person and session; an answer a column."""
    lines = [_flat(row) for row in rows]
    keys = dict.fromkeys(key for line in lines for key in line if key not in COLUMNS)
    return csv_text([*COLUMNS, *keys], lines)


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    changes = "; ".join(f"{change['presence']} {change['at']}" for change in row["presence"])
    plain = {name: value for name, value in row.items() if name != "answers"}
    answers = {f"answer_{key}": value for key, value in row["answers"].items()}
    return {**plain, "presence": changes, **answers}


def people_jsonl(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """The same, a line of JSON each."""
    return b"".join(map(json_line, rows))


def people_of(sessions: Iterable[Session], naming: Naming) -> list[dict[str, Any]]:
    """Everybody who sat in some sessions themselves, as files of a run list them."""
    listed = list(sessions)
    holders = met_in(listed, naming)
    rows: list[dict[str, Any]] = []
    for session in listed:
        own = [held for held in holders.get(session.pk, ()) if held.guest.seat.session_id == session.pk]
        rows += people(session, own, naming)
    return rows


def sessions_with_people(run: Run) -> Any:
    """The sessions of a run in which people sat."""
    seats = Seat.objects.filter(guests__isnull=False).values("session")
    return (
        run.sessions.filter(pk__in=seats)
        .select_related("task", "run")
        .order_by("task__task_id", "trial_id", "pk")
    )


def programs_in(wanted: dict[str, Any], *, agents: bool, by: str = "seat__session") -> dict[str, list[str]]:
    """The programs that had the agent's seat, or travellers' seats, with their versions, by what `by` names.

    wanted: which guests, as a filter of theirs.
    """
    guests = Guest.objects.filter(**wanted).exclude(program="")
    at = guests.filter(seat__role=Role.AGENT) if agents else guests.exclude(seat__role=Role.AGENT)
    programs: dict[str, list[str]] = {}
    rows = at.order_by("program", "version").values_list(by, "program", "version")
    for key, program, version in rows:
        named = programs.setdefault(key, [])
        if (words := f"{program} {version}".strip()) not in named:
            named.append(words)
    return programs


def answers_in(sessions: Any) -> dict[str, list[float]]:
    """The answers on scales in some sessions, by the key of the question."""
    rows = MetricValue.objects.filter(session__in=sessions, profile="", rater__startswith="person:").order_by(
        "pk"
    )
    answers: dict[str, list[float]] = {}
    for key, value in rows.values_list("key", "value"):
        answers.setdefault(key, []).append(value)
    return answers
