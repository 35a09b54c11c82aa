"""People at the table: the session waits for them, reminds them, passes for them, and goes on when they leave."""

from __future__ import annotations

import time
from typing import Any

import pytest
from django.utils import timezone

from benchmark.core.attendance import Attendance
from benchmark.core.events import (
    AttendanceSet,
    EventBody,
    MessagePosted,
    ParticipantJoined,
    PresenceChanged,
    SessionFinished,
    TurnGranted,
    TurnMissed,
    TurnPassed,
    TurnReminded,
)
from benchmark.suites import suite_named
from benchmark.suites.grouptravel.events import CompromiseApplied
from tests.people import Sitter, with_people
from tests.seating import bodies
from webapp.cassettes.services import replay
from webapp.catalogue.models import Task, World
from webapp.jobs.models import Job
from webapp.jobs.services import due
from webapp.people import guests, seating
from webapp.people.models import Guest
from webapp.sessions import services
from webapp.sessions.inbox import deliver
from webapp.sessions.jobs import SESSION
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session
from webapp.sessions.reading import Reading
from worker.sessions import advance

pytestmark = pytest.mark.django_db(transaction=True)
WAITS = Attendance(turn_s=None, dropout="wait")


def go_on(session: Session) -> None:
    """Step until the session waits."""
    while advance(session.pk, budget_s=None, paced=False):
        job = Job.objects.filter(kind=SESSION.name, subject=session.pk).first()
        if job is None or job.ended_at is not None or job.waits_for:
            break
    session.refresh_from_db()


def play(session: Session, *sitters: Sitter) -> Session:
    """To its end, each sitter doing what the scripted traveller would do."""
    go_on(session)
    while not session.ended:
        acted = [sitter.as_scripted() for sitter in sitters]  # each of them, whoever acted before
        assert any(acted), "nobody has the turn"
        go_on(session)
    return session


def record_of(session: Session) -> dict[str, Any]:
    told = suite_named(session.suite).play.record(whole_log(session.pk))
    return {key: value for key, value in told.items() if key not in ("duration",)}


def of_kind(session: Session, *kinds: type[EventBody]) -> list[EventBody]:
    return [body for body in bodies(session) if isinstance(body, kinds)]


def sitter_at(session: Session, name: str) -> Sitter:
    return Sitter(session.seats.get(name=name)).come()


def test_a_scripted_travellers_lines_through_the_page_give_the_same_record_and_scores(
    starter_world: World, starter_tasks: list[Task]
) -> None:
    task = starter_tasks[0]
    setup = services.Setup()
    simulated = services.create_session(task=task, world=starter_world, setup=setup, start=False)
    go_on(simulated)
    session = with_people(task, starter_world, "User1")
    play(session, sitter_at(session, "User1"))
    assert record_of(session) == record_of(simulated)
    figures = [{score.profile: score.figures for score in each.scores.all()} for each in (simulated, session)]
    assert figures[0] and figures[0] == figures[1]


def test_nobody_speaks_before_everybody_has_come(starter_world: World, starter_tasks: list[Task]) -> None:
    session = with_people(starter_tasks[0], starter_world, "User1", "User2")
    go_on(session)
    assert not of_kind(session, TurnGranted)
    sitter_at(session, "User1")
    go_on(session)
    assert not of_kind(session, TurnGranted)
    sitter_at(session, "User2")
    go_on(session)
    assert of_kind(session, TurnGranted)


def test_what_somebody_says_before_all_have_come_waits_with_them(
    starter_world: World, starter_tasks: list[Task]
) -> None:
    session = with_people(starter_tasks[0], starter_world, "User1", "User2")
    seats = {seat.name: seat for seat in session.seats.all()}
    sitter_at(session, "User1")
    go_on(session)
    deliver(seat=seats["User1"], client_id="early", content="hello")
    assert due(kind=SESSION) == [session.pk]
    advance(session.pk, budget_s=None, paced=False)
    assert due(kind=SESSION) == [], "a worker would look at it again and again"
    other = sitter_at(session, "User2")
    go_on(session)
    while seats["User1"].inbox.filter(taken_at_seq=None):
        assert other.as_scripted(), "it is the turn of whoever spoke early"
        go_on(session)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("lacking", ["replace", "end"])
def test_too_few_come(starter_world: World, starter_tasks: list[Task], lacking: Any) -> None:
    attendance = Attendance(turn_s=None, gather_s=0.05, lacking=lacking)
    session = with_people(starter_tasks[0], starter_world, "User1", attendance=attendance)
    time.sleep(0.1)
    go_on(session)
    assert session.ended
    if lacking == "end":
        assert (session.status, session.completion_reason) == ("stopped", "deserted")
        assert not of_kind(session, TurnGranted)
    else:
        assert session.plan_generated and session.seats.get(name="User1").kind == "scripted"


@pytest.mark.usefixtures("hasty")
def test_a_missed_turn_is_reminded_of_then_passed_for_every_asking(
    starter_world: World, starter_tasks: list[Task]
) -> None:
    attendance = Attendance(turn_s=0.3, remind_s=0.2, misses=100)
    session = with_people(starter_tasks[0], starter_world, "User1", attendance=attendance)
    sitter_at(session, "User1")
    go_on(session)
    while not session.ended:
        time.sleep(0.05)
        go_on(session)
    told = bodies(session)
    missed = [at for at, body in enumerate(told) if isinstance(body, TurnMissed)]
    reminded = len(of_kind(session, TurnReminded))
    assert 0 < reminded <= len(missed)  # a worker that comes too late for the reminder passes at once
    for at in missed:
        granted = next(body for body in reversed(told[:at]) if isinstance(body, TurnGranted))
        passes = 3 if granted.kind == "mentioned" else 1
        after = [body for body in told[at:] if isinstance(body, TurnPassed | MessagePosted)][:passes]
        assert all(isinstance(body, TurnPassed) and body.user == "User1" for body in after)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("dropout", ["wait", "pass", "replace", "end"])
def test_somebody_leaves_for_good(starter_world: World, starter_tasks: list[Task], dropout: Any) -> None:
    attendance = Attendance(turn_s=None, dropout=dropout)
    session = with_people(starter_tasks[0], starter_world, "User1", attendance=attendance)
    sitter = sitter_at(session, "User1")
    go_on(session)
    sitter.as_scripted()
    go_on(session)
    said = [body for body in bodies(session) if isinstance(body, MessagePosted) and body.role == "User1"]
    sitter.client.post(sitter.path + "leave/", {"leave": "1"})
    go_on(session)
    assert PresenceChanged(seat="User1", presence="left") in bodies(session)
    seat = session.seats.get(name="User1")
    match dropout:
        case "wait":
            assert not session.ended and seat.kind == "person"
        case "pass":
            assert session.ended and session.completion_reason != "deserted" and seat.kind == "person"
            now_said = [b for b in bodies(session) if isinstance(b, MessagePosted) and b.role == "User1"]
            assert len(now_said) == len(said)
        case "replace":
            assert session.plan_generated and seat.kind == "scripted"
            joined = [
                b.kind for b in bodies(session) if isinstance(b, ParticipantJoined) and b.seat == "User1"
            ]
            assert joined == ["person", "scripted"]
        case "end":
            assert session.completion_reason == "deserted"
            assert isinstance(bodies(session)[-1], SessionFinished)


def test_who_is_waited_for_is_replaced_with_what_they_gave_up(
    starter_world: World, starter_tasks: list[Task]
) -> None:
    session = with_people(starter_tasks[1], starter_world, "User2", attendance=WAITS)
    sitter = sitter_at(session, "User2")
    go_on(session)
    while not session.ended and not of_kind(session, CompromiseApplied):
        assert sitter.as_scripted()
        go_on(session)
    given = of_kind(session, CompromiseApplied)
    assert given and not session.ended
    sitter.client.post(sitter.path + "leave/", {"withdraw": "1"})
    go_on(session)
    assert PresenceChanged(seat="User2", presence="withdrawn") in bodies(session)
    assert not session.ended, "it waits until a researcher decides"
    seating.replace(session.seats.get(name="User2"), "scripted")
    go_on(session)
    assert session.plan_generated and session.seats.get(name="User2").kind == "scripted"
    state = Reading.of(session).state
    assert state.tables["User2"] != state.cards["User2"].preference
    assert of_kind(session, CompromiseApplied)[: len(given)] == given


@pytest.mark.usefixtures("hasty")
def test_who_misses_too_many_turns_has_left(starter_world: World, starter_tasks: list[Task]) -> None:
    attendance = Attendance(turn_s=0.1, remind_s=0, misses=2)
    session = with_people(starter_tasks[0], starter_world, "User1", attendance=attendance)
    sitter_at(session, "User1")
    go_on(session)
    while not session.ended:
        time.sleep(0.05)
        go_on(session)
    assert len(of_kind(session, TurnMissed)) == 2
    assert PresenceChanged(seat="User1", presence="left") in bodies(session)
    assert session.plan_generated and session.seats.get(name="User1").kind == "scripted"


@pytest.mark.usefixtures("hasty")
def test_who_is_not_heard_of_for_long_has_left(starter_world: World, starter_tasks: list[Task]) -> None:
    attendance = Attendance(turn_s=None, away_s=60)
    session = with_people(starter_tasks[0], starter_world, "User1", attendance=attendance)
    sitter_at(session, "User1")
    go_on(session)
    assert not session.ended
    Guest.objects.update(seen_at=timezone.now() - timezone.timedelta(seconds=61))
    Job.objects.filter(subject=session.pk).update(due_at=None)
    go_on(session)
    assert session.plan_generated and session.seats.get(name="User1").kind == "scripted"


def test_a_session_with_people_runs_again_from_its_recording(
    starter_world: World, starter_tasks: list[Task]
) -> None:
    attendance = Attendance(turn_s=5, remind_s=4.9)
    session = with_people(starter_tasks[0], starter_world, "User1", attendance=attendance)
    sitter = sitter_at(session, "User1")
    go_on(session)
    guests.change_presence(sitter.guest, "away")
    sitter.as_scripted()
    go_on(session)
    sitter.client.post(sitter.path + "leave/", {"leave": "1"})
    play(session, sitter)
    again = replay(session=session, start=False)
    go_on(again)
    assert again.ended
    assert [type(body) for body in bodies(again)] == [type(body) for body in bodies(session)]
    assert record_of(again) == record_of(session)
    assert any(isinstance(body, AttendanceSet) for body in bodies(again))
