"""Removing one person's words and name: the one exception to "events are never changed", itself an event.

A log is changed only once nobody works on its session, nor on those that have it from it (forks and re-runs): all of
them have ended and are scored. Until then a job waits for that. What counts stays: scores, figures, evidence, plans,
what was given up of a table, and the answers on scales. Events keep their numbers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from django.db import models, transaction
from django.dispatch import Signal
from django.utils.translation import gettext as _

from benchmark.cassettes.storage import as_text, rewrite_reply
from benchmark.core.actions import calls_in_text
from benchmark.core.events import (
    REMOVAL_TEXT,
    Event,
    EventBody,
    Kinds,
    ParticipantJoined,
    PersonalDataRemoved,
    ToolCalled,
    ToolReturned,
)
from benchmark.core.participant import OUTSIDE_KINDS
from benchmark.metrics import evidence_digest
from benchmark.suites import suite_named
from benchmark.text.width import width
from webapp import clock
from webapp.accounts.models import User
from webapp.audits.models import Act, Way
from webapp.audits.services import note_access
from webapp.cassettes.models import GivenAnswer, ModelExchange, ModelText
from webapp.jobs import services as jobs
from webapp.jobs.kinds import retries
from webapp.jobs.models import Job
from webapp.notes.models import Kind as NoteKind
from webapp.notes.models import Note
from webapp.people.jobs import REMOVAL
from webapp.people.models import Guest
from webapp.people.retention import RETENTION
from webapp.people.words import TELLING, Eraser, pieces
from webapp.seats.models import InboxMessage, Notice, Seat
from webapp.sessions.archiving import bring_back
from webapp.sessions.jobs import SCORE, SESSION
from webapp.sessions.log import row_of
from webapp.sessions.models import ENDED_STATUSES, Score, Session
from webapp.sessions.models import Event as Row

words_removed = Signal()
"""Somebody's words were removed from sessions: `session_ids`. It is sent in the transaction that removes them."""
BATCH = 200
_WAYS = {"researcher": Way.PAGE, RETENTION: Way.RETENTION}
_CALL_TYPE, _RESULT_TYPE, _JOIN_TYPE = (
    kind.model_fields["type"].default for kind in (ToolCalled, ToolReturned, ParticipantJoined)
)


@dataclass(frozen=True, slots=True)
class PersonalDataTable:
    """A table that may hold what was said in sessions.

    session: the name of its key to them. names: whether it holds texts; in figures a name may be that of a place.
    """

    model: type[models.Model]
    fields: tuple[str, ...]
    session: str = "session"
    names: bool = True
    only: dict[str, Any] = field(default_factory=dict)


PERSONAL_DATA_TABLES = [
    PersonalDataTable(ModelExchange, ("reply", "failure")),
    PersonalDataTable(GivenAnswer, ("reply",)),
    PersonalDataTable(Notice, ("payload",), names=False),
    PersonalDataTable(Note, ("text",), only={"kind": NoteKind.COMMENT}),
    PersonalDataTable(Score, ("figures",), names=False),
]
"""Apps above add theirs. What models were asked, and events, are looked through beside these."""
BUSY: list[Callable[[Collection[str]], bool]] = []
"""Whether somebody reads or writes what was said in some sessions just now; apps above add theirs."""


class NotYet(ValueError):
    """The words can't be removed at this moment; the message says why and what helps."""


def remove_data(guest: Guest, by: User | None = None, *, by_command: bool = False) -> bool:
    """Remove what one person said, and their name, now; False where it is done by itself once it can be done.

    by: the researcher who asks for it, None for the person, or `by_command`. Again for the same person, it does
    nothing.
    """
    way = Way.PAGE if by else Way.COMMAND if by_command else Way.SEAT
    note_access(
        account=by,
        act=Act.REMOVAL_ASKED,
        way=way,
        place="remove_person",
        kind="person",
        subject=guest.pk,
        people=1,
    )
    try:
        erase(guest.pk, by="researcher" if by else "")
    except NotYet:
        jobs.enqueue(kind=REMOVAL, subject=guest.pk, group="researcher" if by else "")
        return False
    guest.refresh_from_db()
    return True


@retries(REMOVAL)
def _remove_again(job: Job) -> None:
    jobs.enqueue(kind=REMOVAL, subject=job.subject, group=job.group)


def scored_sent(sender: Any, *, session_id: str, **told: Any) -> None:
    """A session was scored: do what had to wait for that, once this transaction is over."""
    here = Guest.objects.filter(seat__session=session_id, data_removed_at=None).values_list("pk", flat=True)
    for pk in jobs.open_jobs(REMOVAL).filter(subject__in=list(here)).values_list("subject", flat=True):
        transaction.on_commit(lambda pk=pk: jobs.enqueue(kind=REMOVAL, subject=pk))  # type: ignore[misc]


def erase(guest_id: str, *, by: str = "") -> None:
    """Remove it now, all or nothing. by: who or what is named as the cause, "" for the person's seat.

    Raises:
        NotYet: a session is played, scored or judged.
    """
    with transaction.atomic():
        guest = (
            Guest.objects.select_for_update(of=("self",))
            .select_related("seat__session__task")
            .get(pk=guest_id)
        )
        if guest.data_removed_at is not None:
            return
        sessions = _lock_family(guest.seat.session)
        _refuse_unsettled(sessions)
        texts = _PersonalTexts(guest)
        for session in sessions:
            _erase_in(session, texts)
        _erase_beside(guest, texts)
        for session in sessions:
            _tell(session, guest.seat.name, by or guest.seat.name)
        note_access(
            account=None,
            act=Act.REMOVED,
            way=_WAYS.get(by, Way.SEAT),  # of who asked for it
            place="erase",
            kind="person",
            subject=guest.pk,
            people=1,
        )
        words_removed.send(Session, session_ids=[session.pk for session in sessions])


def family(session: Session) -> list[Session]:
    """A session and those whose logs or models have its words: forks and re-runs of it, and theirs."""
    sessions, new = {session.pk: session}, [session.pk]
    while new:
        further = Session.objects.filter(models.Q(fork_of__in=new) | models.Q(replay_of__in=new))
        new = [relative.pk for relative in further if relative.pk not in sessions]
        sessions |= {relative.pk: relative for relative in further if relative.pk in new}
    return list(sessions.values())


def _lock_family(session: Session) -> list[Session]:
    """The family, which nobody forks or runs again until this transaction ends (`refuse_changed`)."""
    ids = [relative.pk for relative in family(session)]
    list(Session.objects.select_for_update(of=("self",)).filter(pk__in=ids).order_by("pk").only("pk"))
    return family(Session.objects.select_related("task").get(pk=session.pk))


def _refuse_unsettled(sessions: Collection[Session]) -> None:
    ids = [session.pk for session in sessions]
    if going := [session.pk for session in sessions if session.status not in ENDED_STATUSES]:
        words = _("These sessions have not ended: %(ids)s. Wait for their ends, or stop them.")
        raise NotYet(words % {"ids": ", ".join(going)})
    open_ = [kind for kind in (SESSION, SCORE) if jobs.open_jobs(kind).filter(subject__in=ids).exists()]
    if open_ or any(busy(ids) for busy in BUSY):
        raise NotYet(_("A session is being scored or judged. Wait a moment."))


class _PersonalTexts:
    """What one person said: the numbers of their events, and their texts, as they stand before the removal."""

    def __init__(self, guest: Guest) -> None:
        self.guest, self.seat = guest, guest.seat.name
        session = guest.seat.session
        self.replacement = REMOVAL_TEXT["zh" if session.task.language == "zh" else "en"]
        self.since, self.until = guest.created_at, next_at(guest)
        self._known_texts: list[tuple[int, str]] = []
        self._world = [json.dumps(session.task.definition, ensure_ascii=False)]
        self._texts: list[tuple[int, str]] = []
        self.numbers: dict[int, str] = {}
        kinds = suite_named(session.suite).play.kinds
        for row in _events_of_seat(Row.objects.filter(session=session), self.seat, self._theirs):
            self.numbers[row.seq] = row.type
            self._texts += [(row.seq, text) for _name, text in _words_of(kinds, row)]
        sent = list(self._inbox().exclude(content="").values_list("content", "kind"))
        self.contents = {content for content, _kind in sent}
        self._read_known(session)
        own = [guest.draft, *(answer for answer in guest.answers.values() if isinstance(answer, str))]
        own += [content for content, kind in sent if kind != InboxMessage.Kind.CALL]
        last = max(self.numbers, default=1)
        self._texts += [(last, text) for text in own if text.strip()]
        self._call_texts = [
            text
            for content, kind in sent
            if kind == InboxMessage.Kind.CALL
            for text in _texts_of_calls(content)
        ]
        self.eraser = self._eraser()

    def _inbox(self) -> models.QuerySet[InboxMessage]:
        messages = InboxMessage.objects.filter(seat=self.guest.seat, created_at__gte=self.since)
        return messages.filter(created_at__lt=self.until) if self.until else messages

    def _theirs(self, row: Row) -> bool:
        return row.at >= self.since and (self.until is None or row.at < self.until)

    def _read_known(self, session: Session) -> None:
        """What stood in the log beside what anybody said; of it what tells of the world: cards, tools' answers."""
        kinds, first = suite_named(session.suite).play.kinds, min(self.numbers, default=0)
        for row in Row.objects.filter(session=session).order_by("seq"):
            if row.seq not in self.numbers and row.type in kinds and not kinds[row.type].words:
                text = json.dumps(row.payload, ensure_ascii=False)
                self._known_texts.append((row.seq, text))
                answer = row.type == _RESULT_TYPE and not row.payload.get("error_kind")
                self._world += [text] if answer or row.seq < first else []

    def _eraser(self) -> Eraser:
        said, short = set[str](), set[str]()
        for seq, whole in self._texts:
            for text in pieces(whole):
                new = not any(text in known for at, known in self._known_texts if at < seq)
                (said if new and width(text) >= TELLING else short).add(text)
        seats = Seat.objects.filter(session=self.guest.seat.session).values_list("name", flat=True)
        name = "" if self.guest.name in seats else self.guest.name
        return Eraser(
            texts=[*(text for _seq, text in self._texts), *self._call_texts],
            said=said,
            short=short,
            of_world=lambda text: any(text in name for name in self._world),
            seat=self.seat,
            name=name,
            replacement=self.replacement,
        )

    def in_session(self, session: Session) -> Callable[[Row], bool]:
        """Whether an event of one of the family is theirs: a fork has the times, a re-run the numbers."""
        if session.replay_of_id is None:
            return self._theirs
        return lambda row: self.numbers.get(row.seq) == row.type


def _texts_of_calls(calls: str) -> Iterator[str]:
    """What tools were asked with in a message of calls, and the note beside."""
    try:
        calls_found = calls_in_text(calls)
    except (ValueError, LookupError, TypeError, RecursionError):
        yield calls
        return
    yield calls_found.note
    left: list[Any] = [call.arguments for call in calls_found.calls]
    while left:
        node = left.pop()
        if isinstance(node, str):
            yield node
        elif isinstance(node, dict | list):
            left += node.values() if isinstance(node, dict) else node


def next_at(guest: Guest) -> datetime | None:
    """When the next person came to the seat, None where nobody did."""
    later = Guest.objects.filter(seat=guest.seat, created_at__gt=guest.created_at).order_by("created_at")
    return later.values_list("created_at", flat=True).first()


def _events_of_seat(rows: Iterable[Row], seat: str, wanted: Callable[[Row], bool]) -> Iterator[Row]:
    """The wanted events of a log that came from a seat while it was taken from outside."""
    outside = False
    ordered = rows.order_by("seq") if isinstance(rows, models.QuerySet) else rows
    for row in ordered:
        if row.type == _JOIN_TYPE and row.payload.get("seat") == seat:
            outside = row.payload.get("kind") in OUTSIDE_KINDS
        elif outside and wanted(row) and seat in _speakers(row):
            yield row


def _speakers(row: Row) -> set[str]:
    named = (row.payload.get(name) for name in ("role", "speaker", "user"))
    return {row.actor, *(name for name in named if isinstance(name, str))}


def _words_of(kinds: Kinds, row: Row) -> Iterator[tuple[str, str]]:
    """The fields of an event with what somebody said to the letter."""
    for name in kinds[row.type].words if row.type in kinds else ():
        text = row.payload.get(name)
        if isinstance(text, str) and text:
            yield name, text


def _erase_in(session: Session, texts: _PersonalTexts) -> None:
    bring_back(session.pk)  # no file keeps what is removed here
    rows = list(Row.objects.filter(session=session).order_by("seq"))
    theirs = {row.seq for row in _events_of_seat(rows, texts.seat, texts.in_session(session))}
    kinds, changed = suite_named(session.suite).play.kinds, []
    for row in rows:
        said_here = row.type == _CALL_TYPE or (row.type in kinds and bool(kinds[row.type].words))
        payload = texts.eraser.value(row.payload, names=False, parts=said_here)
        for name, text in _words_of(kinds, row):
            payload[name] = texts.replacement if row.seq in theirs else texts.eraser.text(text)
        if payload != row.payload:
            row.payload = payload
            changed.append(row)
    Row.objects.bulk_update(changed, ["payload"], batch_size=BATCH)
    inbox = InboxMessage.objects.filter(seat__session=session, seat__name=texts.seat)
    inbox.filter(content__in=texts.contents).update(content=texts.replacement)
    _erase_model_texts(session, texts.eraser)
    for held in PERSONAL_DATA_TABLES:
        _erase_rows(held, session, texts.eraser)


def _erase_model_texts(session: Session, eraser: Eraser) -> None:
    changed = []
    for row in ModelText.objects.filter(session=session):
        if (text := as_text(eraser.value(json.loads(row.text)))) != row.text:
            row.text = text
            changed.append(row)
    ModelText.objects.bulk_update(changed, ["text"], batch_size=BATCH)


def _erase_rows(held: PersonalDataTable, session: Session, eraser: Eraser) -> None:
    changed = []
    for row in held.model._default_manager.filter(**{held.session: session}, **held.only):
        new = {name: _erase_value(held, name, getattr(row, name), eraser) for name in held.fields}
        if any(getattr(row, name) != value for name, value in new.items()):
            for name, value in new.items():
                setattr(row, name, value)
            if isinstance(row, Score):
                row.digest = evidence_digest(row.figures["evidence"]) if row.digest else ""
            changed.append(row)
    fields = [*held.fields, *(["digest"] if held.model is Score else [])]
    held.model._default_manager.bulk_update(changed, fields, batch_size=BATCH)


def _erase_value(held: PersonalDataTable, name: str, value: Any, eraser: Eraser) -> Any:
    change = partial(eraser.value, names=held.names)
    if held.model is ModelExchange and name == "reply" and value is not None:
        return rewrite_reply(value, change, eraser.text)
    return change(value)


def _erase_beside(guest: Guest, texts: _PersonalTexts) -> None:
    """Their row, and what they sent that nobody took."""
    InboxMessage.objects.filter(seat=guest.seat, taken_at_seq=None).delete()
    guest.name = guest.draft = ""
    guest.plan_draft = None
    guest.answers = {
        key: texts.replacement if isinstance(answer, str) and answer else answer
        for key, answer in guest.answers.items()
    }
    guest.data_removed_at = clock.now()
    guest.save(update_fields=["name", "draft", "plan_draft", "answers", "data_removed_at"])


def _tell(session: Session, seat: str, actor: str) -> None:
    """Have the log say that it was changed; the number follows on its last."""
    body: EventBody = PersonalDataRemoved(seat=seat)
    event = Event(session.last_seq + 1, actor, body.audience(), body, clock.now())
    row_of(session.pk, event).save(force_insert=True)
    Session.objects.filter(pk=session.pk).update(last_seq=event.seq)
