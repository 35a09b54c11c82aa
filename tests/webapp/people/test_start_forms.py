"""People and programs are chosen on the forms that start sessions, and by commands."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from benchmark.core.attendance import Attendance
from benchmark.core.events import (
    AttendanceSet,
    EventBody,
    MessagePosted,
    ParticipantJoined,
    PresenceChanged,
    SessionForked,
)
from benchmark.core.participant import INBOX, PERSON
from tests.markup import text
from tests.webapp.people.talking import sits, step
from webapp.cassettes.forking import Players, fork
from webapp.catalogue.models import Task, World
from webapp.endpoints.choice import SeatPlayer
from webapp.endpoints.models import ModelEndpoint
from webapp.people.guests import change_presence
from webapp.people.invitations import take
from webapp.people.models import Guest, Sitting, Study
from webapp.runs.control import retry, set_trials
from webapp.runs.services import create_run
from webapp.seats.models import InboxMessage
from webapp.sessions.inbox import deliver
from webapp.sessions.log import whole_log
from webapp.sessions.models import Run, Session
from webapp.sessions.services import Setup, create_session
from webapp.sessions.studies import waiting
from worker.sessions import advance

pytestmark = pytest.mark.django_db

FORM_FIELDS = {
    "task": "starter_02",
    "world": "starter",
    "agent": "reference",
    "users": "scripted",
    "seed": "5",
    "protocol": "published",
    "pace": "",
}
RUN = {**FORM_FIELDS, "name": "with people", "tasks": "starter_02", "trials": "2"}


@pytest.fixture
def study(starter_world: World, starter_tasks: list[Task]) -> Study:
    return Study.objects.create(name="patient", turn_s=600, gather_s=900, dropout="wait")


def bodies(session: Session) -> list[EventBody]:
    return [event.body for event in whole_log(session.pk)]


def attendance_by_seat(session: Session) -> dict[str, Attendance]:
    return {body.seat: body.attendance for body in bodies(session) if isinstance(body, AttendanceSet)}


def kinds(session: Session) -> dict[str, str]:
    return dict(session.seats.values_list("name", "kind"))


def test_people_and_programs_are_offered_for_every_seat(as_researcher: Client, study: Study) -> None:
    page = text(as_researcher.post("/sessions/new/", {**FORM_FIELDS, "look": "1"}))
    for name in ("agent", "users", "seat_User1"):
        (select,) = re.findall(rf'<select name="{name}".*?</select>', page)
        assert f'value="{PERSON}">a person<' in select and f'value="{INBOX}">a program (API)<' in select, name
    assert 'name="study"' not in page
    for chosen in ({"seat_User1": PERSON}, {"agent": INBOX}, {"users": PERSON}):
        page = text(as_researcher.post("/sessions/new/", {**FORM_FIELDS, **chosen, "look": "1"}))
        (select,) = re.findall(r'<select name="study".*?</select>', page)
        assert "the standard settings" in select and ">patient<" in select
        assert '<a href="/studies/">User studies</a>' in page


def test_a_session_waits_as_its_study_says(as_researcher: Client, study: Study) -> None:
    given = {**FORM_FIELDS, "seat_User1": PERSON, "seat_User3": INBOX, "study": str(study.pk)}
    answer = as_researcher.post("/sessions/new/", given)
    session = Session.objects.get()
    assert answer["Location"] == f"/sessions/{session.pk}/seats/"
    assert Sitting.objects.get().study == study and session.sitting.study == study
    assert attendance_by_seat(session) == dict.fromkeys(("User1", "User3"), study.attendance)
    assert kinds(session)["User1"] == PERSON and kinds(session)["User3"] == INBOX


@pytest.mark.usefixtures("hasty")
def test_who_brings_their_own_wishes_does_not_say_the_task_s_first_words(
    as_researcher: Client, study: Study
) -> None:
    Study.objects.filter(pk=study.pk).update(own_wishes=True)
    as_researcher.post("/sessions/new/", {**FORM_FIELDS, "seat_User1": PERSON, "study": str(study.pk)})
    session = Session.objects.get()
    said = [body.role for body in bodies(session) if isinstance(body, MessagePosted)]
    assert set(said) == set(kinds(session)) - {"User1", "Agent", "simulator"}
    change_presence(sits(session, "User1"), "joined")
    for number in range(60):
        if not step(session):
            break
        deliver(seat=session.seats.get(name="User1"), client_id=str(number), kind=InboxMessage.Kind.PASS)
    assert session.status == "finished"
    assert not any(body.role == "User1" for body in bodies(session) if isinstance(body, MessagePosted))


def test_without_a_study_it_waits_by_the_standard_settings(as_researcher: Client, study: Study) -> None:
    as_researcher.post("/sessions/new/", {**FORM_FIELDS, "agent": PERSON, "study": ""})
    session = Session.objects.get()
    assert attendance_by_seat(session) == {"Agent": Attendance()} and not Sitting.objects.exists()
    assert Study().attendance == Attendance()
    as_researcher.post("/sessions/new/", {**FORM_FIELDS, "study": str(study.pk)})
    assert not Sitting.objects.exists()  # nobody in it is a person


def test_a_study_that_is_not_there_is_refused_at_its_field(as_researcher: Client, study: Study) -> None:
    page = text(as_researcher.post("/sessions/new/", {**FORM_FIELDS, "users": PERSON, "study": "99"}))
    assert "There is no such study; choose another." in page and not Session.objects.exists()


def test_a_substitute_that_cannot_take_a_seat_is_the_benchmarks_own(
    study: Study, starter_world: World, starter_tasks: list[Task]
) -> None:
    study.substitute = "scripted"
    study.save()
    setup = Setup(agent=PERSON, users=PERSON, **waiting(study))
    session = create_session(task=starter_tasks[0], world=starter_world, setup=setup, start=False)
    found = attendance_by_seat(session)
    assert found.pop("Agent").substitute == ""
    assert {one.substitute for one in found.values()} == {"scripted"}


def test_all_sessions_of_a_run_belong_to_its_study(as_researcher: Client, study: Study) -> None:
    answer = as_researcher.post("/runs/new/", {**RUN, "seat_User2": PERSON, "study": str(study.pk)})
    run = Run.objects.get()
    assert answer["Location"] == f"/runs/{run.pk}/seats/"
    assert run.setup["study"] == study.pk and Attendance(**run.setup["attendance"]) == study.attendance
    assert study.sittings.count() == run.sessions.count() == 2


def test_retries_and_more_trials_wait_as_the_first_did_for_people_who_come_anew(
    study: Study, starter_world: World, starter_tasks: list[Task]
) -> None:
    setup = Setup(seats={"User1": SeatPlayer(PERSON)}, **waiting(study))
    task = next(task for task in starter_tasks if task.difficulty == "easy")
    run = create_run(name="a", tasks=[task], world=starter_world, setup=setup, start=False)
    (session,) = run.sessions.all()
    change_presence(_ready(take(seat=session.seats.get(name="User1"))), "joined")
    advance(session.pk, paced=False)
    assert any(isinstance(body, PresenceChanged) for body in bodies(session))
    Session.objects.filter(pk=session.pk).update(status="crashed")
    assert retry(run) == 1 and set_trials(run, 2) == 1
    for new in run.sessions.all():
        assert new.sitting.study == study and attendance_by_seat(new) == {"User1": study.attendance}
        assert not any(isinstance(body, PresenceChanged) for body in bodies(new))
        assert kinds(new)["User1"] == PERSON


def _ready(guest: Guest) -> Guest:
    guest.stage = Guest.Stage.READY
    guest.save()
    return guest


@pytest.mark.usefixtures("hasty")
def test_a_fork_puts_a_person_into_a_seat(as_researcher: Client, study: Study, starter_world: World) -> None:
    as_researcher.post("/sessions/new/", FORM_FIELDS)
    origin = Session.objects.get()
    advance(origin.pk, paced=False)
    page = as_researcher.get(f"/sessions/{origin.pk}/fork/", {"seat_User2": PERSON})
    assert 'name="study"' in text(page)
    assert 'name="study"' not in text(as_researcher.get(f"/sessions/{origin.pk}/fork/"))
    at = origin.events.filter(type="message_posted").values_list("seq", flat=True)[2]
    given = {"at": at, "agent": "reference", "users": "scripted", "seed": "1", "times": "1", "pace": ""}
    answer = as_researcher.post(
        f"/sessions/{origin.pk}/fork/", {**given, "seat_User2": PERSON, "study": str(study.pk)}
    )
    made = Session.objects.get(fork_of=origin)
    assert answer["Location"] == f"/sessions/{made.pk}/seats/"
    own = [event.body for event in made.own(whole_log(made.pk))]
    assert isinstance(own[0], SessionForked)
    assert own[1:] == [
        ParticipantJoined(seat="User2", kind=PERSON),
        AttendanceSet(seat="User2", attendance=study.attendance),
    ]
    assert made.sitting.study == study


def test_a_fork_of_a_session_with_people_keeps_its_study(
    as_researcher: Client, study: Study, starter_world: World, starter_tasks: list[Task]
) -> None:
    setup = Setup(seats={"User1": SeatPlayer(PERSON)}, **waiting(study))
    origin = create_session(task=starter_tasks[0], world=starter_world, setup=setup, start=False)
    page = text(as_researcher.get(f"/sessions/{origin.pk}/fork/"))
    assert f'<option value="{study.pk}" selected>patient</option>' in page
    assert f'<option value="{PERSON}" selected>a person</option>' in page
    made = fork(session=origin, chosen=origin.last_seq, players=Players.of(origin), start=False)
    assert attendance_by_seat(made) == {"User1": study.attendance}  # as before, where nothing else is said


def test_trying_it_takes_the_first_travellers_seat(as_researcher: Client, study: Study) -> None:
    page = text(as_researcher.get("/sessions/new/"))
    assert 'formaction="/sessions/new/try/"' in page
    assert "new/try" not in text(as_researcher.get("/runs/new/"))
    answer = as_researcher.post("/sessions/new/try/", FORM_FIELDS)
    (guest,) = Guest.objects.select_related("seat__session")
    assert answer["Location"] == f"/seat/{guest.pk}/"
    assert as_researcher.session["guests"] == [guest.pk]
    assert guest.user is not None and guest.user.username == "researcher"
    session = guest.seat.session
    assert (
        guest.seat.name == session.task.parsed_definition.users[0] and guest.holds and guest.stage == "ready"
    )
    advance(session.pk, paced=False)
    assert PresenceChanged(seat=guest.seat.name, presence="joined") in bodies(session)


@pytest.mark.parametrize(
    ("chosen", "seat"),
    [({"seat_User3": PERSON}, "User3"), ({"agent": PERSON}, "Agent"), ({"users": PERSON}, "User2")],
)
def test_trying_it_takes_the_seat_that_is_for_a_person(
    as_researcher: Client, study: Study, chosen: dict[str, str], seat: str
) -> None:
    as_researcher.post("/sessions/new/try/", {**FORM_FIELDS, **chosen})
    assert Guest.objects.get().seat.name == seat


def test_trying_a_form_that_is_wrong_shows_what_is(as_researcher: Client, study: Study) -> None:
    page = text(as_researcher.post("/sessions/new/try/", {**FORM_FIELDS, "seed": "-1"}))
    assert "greater than or equal to 0" in page and not Session.objects.exists()


def test_only_researchers_try(as_annotator: Client, study: Study) -> None:
    assert as_annotator.post("/sessions/new/try/", FORM_FIELDS).status_code == 403
    assert "signin" in Client().post("/sessions/new/try/", FORM_FIELDS)["Location"]


def test_commands_take_people_programs_and_a_study(study: Study, capsys: Any) -> None:
    given = ("--tasks", "starter_02", "--world", "starter", "--enqueue")
    call_command("run", "r", *given, "--seat", "User2=person", "--seat", "User1=inbox", "--study", "patient")
    run = Run.objects.get()
    assert attendance_by_seat(run.sessions.get()) == dict.fromkeys(("User1", "User2"), study.attendance)
    assert run.setup["study"] == study.pk
    told = capsys.readouterr().err
    assert f"links to the seats: http://127.0.0.1:8000/runs/{run.pk}/seats/" in told and "waits" not in told
    call_command("run", "agents", *given, "--agent", "inbox")
    assert attendance_by_seat(Run.objects.get(name="agents").sessions.get()) == {"Agent": Attendance()}
    with pytest.raises(CommandError, match="--study is for seats that a person or a program takes"):
        call_command("run", "x", *given, "--study", "patient")
    with pytest.raises(CommandError, match="there is no study “other”; there are: patient"):
        call_command("run", "x", *given, "--seat", "User2=person", "--study", "other")


@pytest.mark.parametrize(
    ("command", "what"),
    [(("run_session", "starter_02"), "sessions"), (("run", "r", "--tasks", "starter_02"), "runs")],
)
def test_a_command_that_plays_says_that_it_waits_for_people_and_what_ends_it(
    study: Study, capsys: Any, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], what: str
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("worker.management.commands.run.play", interrupt)
    monkeypatch.setattr("worker.management.commands.run_session.play_session", interrupt)
    with pytest.raises(CommandError, match="the workers go on"):
        call_command(*command, "--world", "starter", "--agent", "person")
    session = Session.objects.get()
    link, waiting = capsys.readouterr().err.splitlines()[-2:]
    assert link.endswith(f"/{what}/{session.run_id or session.pk}/seats/")
    assert waiting == "The command waits for the end; Ctrl-C leaves what is left to the workers (make run)."
    with pytest.raises(CommandError, match="the workers go on"):
        call_command(*command, "--world", "starter")
    assert "links" not in capsys.readouterr().err


def test_a_model_that_takes_over_counts_for_a_budget_in_money(study: Study) -> None:
    model = ModelEndpoint.objects.create(name="gpt", base_url="http://localhost:1/v1", model="gpt-x")
    Study.objects.filter(pk=study.pk).update(substitute="llm", substitute_model=model)
    given = ("--tasks", "starter_02", "--world", "starter", "--enqueue", "--budget", "5 USD")
    with pytest.raises(CommandError, match="these have none: gpt"):
        call_command("run", "r", *given, "--seat", "User2=person", "--study", "patient")
