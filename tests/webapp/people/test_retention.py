"""How long studies keep what people said."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import QuerySet
from django.test import Client
from pytest_django import Settings

from tests.webapp.people.talking import TOKEN, guest_at, holding, session_with_people, sits, talk
from webapp import clock
from webapp.audits.models import Access, Act, Way
from webapp.catalogue.models import Task, World
from webapp.jobs.models import Job
from webapp.people.invitations import invite
from webapp.people.jobs import FOUND_AT_ONCE, REMOVAL
from webapp.people.models import Guest, Sitting, Study
from webapp.people.retention import due_guests, removals
from webapp.people.studies import StudyForm
from webapp.sessions.archiving import archive_session
from webapp.sessions.models import Event, MetricValue, Score, Session
from worker.steppers import STEPPERS

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hasty")]
DAY = timedelta(days=1)


@pytest.fixture
def task(starter_tasks: list[Task]) -> Task:
    return next(task for task in starter_tasks if task.difficulty == "easy" and task.language == "zh")


@pytest.fixture
def make_session(task: Task, starter_world: World) -> Callable[..., Session]:
    """A session that ended so many days ago, with a person who said something, in a study of so many days."""

    def make(
        *, ago: float, keep_days: int | None = None, study: bool = True, played: bool = False
    ) -> Session:
        session = session_with_people(task, starter_world, "User1")
        sits(session, "User1")
        if played:
            talk(session)
        if study:
            own = Study.objects.create(name=f"of {session.pk}", keep_days=keep_days)
            Sitting.objects.create(session=session, study=own)
        at = clock.now() - ago * DAY
        Session.objects.filter(pk=session.pk).update(status="finished", finished_at=at)
        Job.objects.filter(subject=session.pk).delete()
        Guest.objects.filter(seat__session=session).update(left_at=None, answered_at=None, withdrew_at=None)
        session.refresh_from_db()
        return session

    return make


def _jobs() -> QuerySet[Job]:
    return Job.objects.filter(kind=REMOVAL.name)


def _due() -> set[str]:
    return set(due_guests().values_list("seat__session", flat=True))


@pytest.mark.parametrize(
    ("ago", "keep_days", "default", "study", "is_due"),
    [
        (30.01, 30, 0, True, True),
        (29.99, 30, 0, True, False),
        (9999, None, 0, True, False),
        (9999, None, 0, False, False),
        (30.01, None, 30, True, True),
        (30.01, None, 30, False, True),
        (30.01, 60, 30, True, False),
        (30.01, 10, 60, True, True),
        (29.99, None, 30, False, False),
    ],
)
def test_the_days_of_the_study_count_else_those_of_the_installation(
    make_session: Callable[..., Session],
    settings: Settings,
    ago: float,
    keep_days: int | None,
    default: int,
    study: bool,
    is_due: bool,
) -> None:
    settings.CARAVAN_RETENTION_DAYS = default
    session = make_session(ago=ago, keep_days=keep_days, study=study)
    assert _due() == ({session.pk} if is_due else set())
    told = [each for each in removals() if each.due_at <= clock.now()]
    assert {each.guest.seat.session_id for each in told} == _due()


@pytest.mark.parametrize("moment", ["left_at", "withdrew_at", "answered_at"])
def test_they_are_counted_from_when_somebody_was_last_there(
    make_session: Callable[..., Session], moment: str
) -> None:
    session = make_session(ago=20, keep_days=10)
    people = Guest.objects.filter(seat__session=session)
    people.update(**{moment: clock.now() - 9 * DAY})
    assert _due() == set()
    people.update(**{moment: clock.now() - 30 * DAY})  # before the end, which counts then
    assert _due() == {session.pk}


def test_nobody_is_due_whose_session_goes_on_or_whose_data_is_gone(
    make_session: Callable[..., Session],
) -> None:
    going, gone = make_session(ago=20, keep_days=10), make_session(ago=20, keep_days=10)
    Session.objects.filter(pk=going.pk).update(status="running")
    Guest.objects.filter(seat__session=gone).update(data_removed_at=clock.now())
    assert _due() == set() == set(removals())


@pytest.mark.both_engines
def test_a_job_removes_what_is_due_and_says_why(
    make_session: Callable[..., Session], as_researcher: Client, tmp_path: Any, settings: Settings
) -> None:
    settings.CARAVAN_DATA = tmp_path
    due, kept = make_session(ago=11, keep_days=10, played=True), make_session(ago=1, keep_days=10)
    archive_session(due.pk)
    scores = Score.objects.filter(session=due).count()
    guest = guest_at(due)
    assert REMOVAL.find is not None and REMOVAL.find() == 1
    assert _jobs().get().subject == guest.pk
    assert REMOVAL.find() == 0  # it has its job
    STEPPERS[REMOVAL.name](guest.pk)
    assert holding(TOKEN) == [] and REMOVAL.find() == 0
    assert Guest.objects.get(pk=guest.pk).data_removed_at and not guest_at(kept).data_removed_at
    assert Score.objects.filter(session=due).count() == scores
    assert MetricValue.objects.filter(session=due).exists() == bool(scores)
    assert Event.objects.get(session=due, type="personal_data_removed").actor == "retention"
    page = as_researcher.get(due.get_absolute_url()).content.decode()
    assert "since it is kept no longer" in page and "at their wish" not in page
    [noted] = Access.objects.filter(act=Act.REMOVED)
    assert (noted.way, noted.subject, noted.account) == (Way.RETENTION, guest.pk, None)


def test_what_fails_is_tried_again_after_a_day_and_keeps_nobody_waiting(
    make_session: Callable[..., Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, other = (guest_at(make_session(ago=ago, keep_days=10)) for ago in (20, 19))
    assert REMOVAL.find is not None and REMOVAL.find() == 2

    def fail(*_given: Any, **_named: Any) -> None:
        raise RuntimeError("no disk")

    with monkeypatch.context() as patched:
        patched.setattr("worker.steppers.removals.erase", fail)
        STEPPERS[REMOVAL.name](broken.pk)
    STEPPERS[REMOVAL.name](other.pk)
    assert Guest.objects.get(pk=other.pk).data_removed_at
    assert REMOVAL.find() == 0
    _jobs().update(ended_at=clock.now() - 2 * DAY)
    assert REMOVAL.find() == 1


def test_a_study_that_keeps_it_longer_by_now_keeps_it(make_session: Callable[..., Session]) -> None:
    guest = guest_at(make_session(ago=20, keep_days=10))
    assert REMOVAL.find is not None and REMOVAL.find() == 1
    Study.objects.update(keep_days=100)
    STEPPERS[REMOVAL.name](guest.pk)
    assert _jobs().get().ended_at is not None and not Guest.objects.get(pk=guest.pk).data_removed_at


def test_programs_are_no_people(make_session: Callable[..., Session]) -> None:
    session = make_session(ago=20, keep_days=10)
    Guest.objects.filter(seat__session=session).update(program="an agent")
    assert _due() == set()


def test_few_are_found_at_a_time(make_session: Callable[..., Session]) -> None:
    session = make_session(ago=20, keep_days=10)
    seat = guest_at(session).seat
    Guest.objects.bulk_create(Guest(seat=seat, holds=False) for _ in range(FOUND_AT_ONCE))
    assert REMOVAL.find is not None and REMOVAL.find() == FOUND_AT_ONCE == _jobs().count()
    assert (REMOVAL.find(), REMOVAL.find()) == (1, 0)


def _command(*arguments: str) -> str:
    out = StringIO()
    call_command("remove_due_data", *arguments, stdout=out)
    return out.getvalue()


def test_a_preview_lists_whose_data_goes_when_and_changes_nothing(
    make_session: Callable[..., Session],
) -> None:
    due, kept = make_session(ago=11, keep_days=10, played=True), make_session(ago=1, keep_days=10)
    rows = [json.loads(line) for line in _command("--preview", "--json").splitlines()]
    assert [(row["session"], row["state"]) for row in rows] == [(due.pk, "due"), (kept.pk, "kept")]
    assert datetime.fromisoformat(rows[1]["due"]) > clock.now()
    assert holding(TOKEN) and not Access.objects.filter(act=Act.REMOVED).exists()
    text = _command()
    assert "removed the data of 1 people" in text and holding(TOKEN) == []
    assert TOKEN not in text
    assert _command() == "nothing was removed\n"


def test_the_command_leaves_who_still_waits_for_scores(
    make_session: Callable[..., Session], task: Task, starter_world: World
) -> None:
    session = make_session(ago=20, keep_days=10)
    copy = session_with_people(task, starter_world, "User1")
    Session.objects.filter(pk=copy.pk).update(fork_of=session.pk, status="running")
    assert "waits for its session" in _command()
    assert guest_at(session).data_removed_at is None


@pytest.mark.parametrize(
    ("given", "fits"), [("1", True), ("36500", True), ("", True), ("0", False), ("36501", False)]
)
def test_a_study_takes_a_number_of_days(given: str, fits: bool) -> None:
    initial = {name: field.initial for name, field in StudyForm().fields.items() if field.initial is not None}
    form = StudyForm({**initial, "name": "a study", "keep_days": given})
    assert ("keep_days" not in form.errors) == fits
    assert 'min="1"' in str(form["keep_days"])


def test_its_page_says_how_many_people_are_kept_until_when(
    make_session: Callable[..., Session], as_researcher: Client
) -> None:
    session = make_session(ago=1, keep_days=10)
    study = Study.objects.get()
    at = f"{session.finished_at + 10 * DAY:%Y-%m-%d}"
    page = as_researcher.get(study.get_absolute_url()).content.decode()
    assert f"The data of 1 person is kept, until {at}." in " ".join(page.split())


@pytest.mark.parametrize("keep_days", [30, None])
def test_people_read_it_before_they_agree(
    task: Task, starter_world: World, client: Client, keep_days: int | None
) -> None:
    session = session_with_people(task, starter_world, "User1")
    study = Study.objects.create(name="a study", keep_days=keep_days)
    Sitting.objects.create(session=session, study=study)
    invitation = invite(seat=session.seats.get(name="User1"))
    page = client.post(invitation.get_absolute_url(), follow=True)
    assert "people/consent.html" in [template.name for template in page.templates]
    assert ("30 天" in page.content.decode()) == (keep_days is not None)
