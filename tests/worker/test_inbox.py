"""A seat that is driven from outside, from the opening to the end, through the worker."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from benchmark.cassettes import read_cassette, write_cassette
from benchmark.core.events import Event as LogEvent
from benchmark.core.events import MessagePosted, TurnGranted, TurnPassed
from benchmark.core.participant import INBOX
from webapp.cassettes.selectors import cassette_of, verdict_of
from webapp.cassettes.services import keep, replay
from webapp.catalogue.models import Task, World
from webapp.endpoints.choice import SeatPlayer
from webapp.forms import ChoiceRefused
from webapp.jobs import services as jobs
from webapp.jobs.services import due
from webapp.seats.models import InboxMessage, Seat
from webapp.sessions import inbox, services
from webapp.sessions.inbox import MessageRefused, deliver
from webapp.sessions.jobs import SESSION
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session, Status
from worker.sessions import advance

pytestmark = [pytest.mark.storage, pytest.mark.usefixtures("hasty")]
PASS = InboxMessage.Kind.PASS


class WorkerKilled(BaseException):
    """The worker is gone."""


def new_session(world: World, tasks: list[Task], *names: str) -> Session:
    easy = next(task for task in tasks if task.difficulty == "easy")
    setup = services.Setup(seats={name: SeatPlayer(INBOX) for name in names})
    return services.create_session(task=easy, world=world, setup=setup, start=False)


def turn(session: Session) -> TurnGranted:
    granted = [event.body for event in whole_log(session.pk) if isinstance(event.body, TurnGranted)]
    return granted[-1]


def said_by(session: Session, name: str) -> list[LogEvent]:
    return [
        event
        for event in whole_log(session.pk)
        if event.actor == name and isinstance(event.body, MessagePosted | TurnPassed)
    ]


def send(session: Session, seat: Seat, number: int) -> InboxMessage:
    if number == 0:
        return deliver(seat=seat, client_id="0", content="我想去安静一点的地方。")
    return deliver(seat=seat, client_id=str(number), kind=PASS)


def to_the_end(session: Session, seats: dict[str, Seat]) -> int:
    """Answer whenever a seat is asked; gives back how many messages that took."""
    number = 0
    while not session.ended:
        advance(session.pk, budget_s=None, paced=False)
        session.refresh_from_db()
        if not session.ended:
            send(session, seats[turn(session).speaker], number)
            number += 1
        assert number < 200
    return number


def all_taken(session: Session) -> None:
    """Every message is in the log exactly once, at the event it says, or was not reached."""
    for seat in session.seats.filter(kind=INBOX):
        taken = list(seat.inbox.exclude(taken_at_seq=None).values_list("taken_at_seq", flat=True))
        assert taken == sorted(set(taken)) and len(taken) == seat.inbox.count()
        assert len(said_by(session, seat.name)) == len(taken)


def test_a_seat_is_driven_from_opening_to_end(
    starter_world: World, starter_tasks: list[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = new_session(starter_world, starter_tasks, "User1")
    seat = session.seats.get(name="User1")
    assert advance(session.pk, budget_s=None, paced=False)
    assert turn(session).speaker == "User1"
    seq = Session.objects.get(pk=session.pk).last_seq
    assert due(kind=SESSION) == [] and not advance(session.pk)
    first = send(session, seat, 0)
    assert send(session, seat, 0) == first and seat.inbox.count() == 1
    assert due(kind=SESSION) == [session.pk]

    def kill_worker(*args: object, **options: object) -> None:
        raise WorkerKilled

    with monkeypatch.context() as patched:  # it has read the message and stored nothing
        patched.setattr(services, "append", kill_worker)
        patched.setattr(jobs, "LEASE", timedelta(0))
        with pytest.raises(WorkerKilled):
            advance(session.pk, budget_s=None, paced=False)
    assert Session.objects.get(pk=session.pk).last_seq == seq
    assert InboxMessage.objects.get(pk=first.pk).taken_at_seq is None
    assert due(kind=SESSION) == [session.pk]
    assert advance(session.pk, budget_s=None, paced=False)
    first.refresh_from_db()
    assert first.taken_at_seq is not None and len(said_by(session, "User1")) >= 1
    session.refresh_from_db()
    for number in range(1, 200):
        if session.ended:
            break
        send(session, seat, number)
        advance(session.pk, budget_s=None, paced=False)
        session.refresh_from_db()
    assert session.status == Status.FINISHED and session.scores.exists()
    all_taken(session)


@pytest.mark.both_engines
def test_two_seats_are_driven_each_by_its_inbox(starter_world: World, starter_tasks: list[Task]) -> None:
    session = new_session(starter_world, starter_tasks, "User1", "User2")
    seats = {seat.name: seat for seat in session.seats.filter(kind=INBOX)}
    assert len(seats) == 2
    to_the_end(session, seats)
    assert session.status == Status.FINISHED
    all_taken(session)
    again = replay(session=session, start=False)
    advance(again.pk, budget_s=None, paced=False)
    verdict = verdict_of(Session.objects.get(pk=again.pk))
    assert verdict is not None and verdict.identical
    all_taken(again)


def test_a_session_from_a_file_is_replayed_with_what_was_sent(
    starter_world: World, starter_tasks: list[Task], tmp_path: Path
) -> None:
    session = new_session(starter_world, starter_tasks, "User1")
    sent = to_the_end(session, {"User1": session.seats.get(name="User1")})
    write_cassette(cassette_of(session), tmp_path / "file.jsonl.gz")
    recorded = cassette_of(session)
    Session.objects.all().delete()
    kept = keep(read_cassette(tmp_path / "file.jsonl.gz"))
    assert cassette_of(kept) == recorded and len(recorded.deliveries) == sent
    again = replay(session=kept, start=False)
    advance(again.pk, budget_s=None, paced=False)
    verdict = verdict_of(Session.objects.get(pk=again.pk))
    assert verdict is not None and verdict.identical
    InboxMessage.objects.all().delete()  # as in files of before
    with pytest.raises(ChoiceRefused, match="is not stored here"):
        replay(session=kept)


@pytest.mark.both_engines
def test_what_comes_between_the_look_and_the_sleep_wakes_the_session(
    starter_world: World, starter_tasks: list[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = new_session(starter_world, starter_tasks, "User1")
    seat, release = session.seats.get(name="User1"), jobs.release

    def late(**given: object) -> bool:
        send(session, seat, 0)
        return release(**given)  # type: ignore[arg-type]

    monkeypatch.setattr(jobs, "release", late)
    advance(session.pk, budget_s=None, paced=False)
    assert due(kind=SESSION) == [session.pk]


def test_a_message_for_another_does_not_end_a_pause_for_the_pace(
    starter_world: World, starter_tasks: list[Task]
) -> None:
    session = new_session(starter_world, starter_tasks, "User1")
    claimed = services.claim(session_id=session.pk)
    assert claimed is not None
    later = session.created_at.replace(year=session.created_at.year + 1)
    jobs.release(claimed=claimed, due_at=later)
    send(session, session.seats.get(name="User1"), 0)
    assert due(kind=SESSION) == []


def test_what_no_seat_can_take_is_refused(starter_world: World, starter_tasks: list[Task]) -> None:
    session = new_session(starter_world, starter_tasks, "User1")
    seat, scripted = session.seats.get(name="User1"), session.seats.get(name="User2")
    for given, word in (
        ({"seat": scripted, "client_id": "a", "content": "x"}, "scripted"),
        ({"seat": seat, "client_id": "", "content": "x"}, "id"),
        ({"seat": seat, "client_id": "a", "content": " "}, "empty"),
        ({"seat": seat, "client_id": "a", "content": "x" * (inbox.MOST + 1)}, "characters"),
        ({"seat": seat, "client_id": "a", "content": "\ud800"}, "character"),
    ):
        with pytest.raises(MessageRefused, match=word):
            deliver(**given)  # type: ignore[arg-type]
    services.request_stop(Session.objects.filter(pk=session.pk))
    advance(session.pk)
    with pytest.raises(MessageRefused, match="ended"):
        deliver(seat=seat, client_id="b", content="x")
    assert not InboxMessage.objects.exists()
