"""Deleting a session with all that hangs on it, after being asked."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.management import call_command
from django.test import Client

from webapp.forms import ChoiceRefused
from webapp.jobs import services as jobs
from webapp.jobs.models import Job
from webapp.labelling.models import LabelItem, LabelStudy
from webapp.notes.models import Kind, Note
from webapp.runs.deletion import delete_session
from webapp.sessions.models import Event, Run, Session
from webapp.sessions.services import claim


@pytest.fixture
def tagged_session(eventful: Session) -> Session:
    Note.objects.create(session=eventful, kind=Kind.TAG, text="odd")
    return eventful


def test_a_session_goes_with_all_that_hangs_on_it_once_somebody_says_so(
    as_researcher: Client, tagged_session: Session
) -> None:
    rerun = Session.objects.create(
        task=tagged_session.task, world=tagged_session.world, replay_of=tagged_session
    )
    fork = Session.objects.create(
        task=tagged_session.task, world=tagged_session.world, fork_of=tagged_session, fork_seq=1
    )
    page = as_researcher.get(tagged_session.get_absolute_url()).content.decode()
    assert f"/sessions/{tagged_session.pk}/delete/" in page
    asked = " ".join(as_researcher.get(f"/sessions/{tagged_session.pk}/delete/").content.decode().split())
    assert (
        f"{tagged_session.events.count()} events" in asked
        and "notes: 1" in asked
        and "re-runs of its recording: 1" in asked
    )
    assert Session.objects.filter(pk=tagged_session.pk).exists()
    told = as_researcher.post(f"/sessions/{tagged_session.pk}/delete/", follow=True)
    assert told.redirect_chain == [("/sessions/", 302)]
    assert f"The session {tagged_session.pk} is deleted." in told.content.decode()
    assert list(Session.objects.all()) == [fork]
    fork.refresh_from_db()
    assert fork.fork_of is None
    assert (
        not Event.objects.filter(session__in=[tagged_session.pk, rerun.pk]).exists()
        and not Note.objects.exists()
    )


def test_a_worker_that_has_it_stores_nothing_more(make_run: Callable[..., Run]) -> None:
    session = make_run(tasks=1).sessions.get()
    Session.objects.update(run=None)
    held = claim(session_id=session.pk)
    assert held is not None
    delete_session(session)
    with pytest.raises(jobs.LeaseLost):
        jobs.fence(claimed=held)
    assert not Job.objects.filter(subject=session.pk).exists()
    delete_session(session)  # asked twice, it is gone all the same


def test_what_a_run_counts_stays(as_researcher: Client, make_run: Callable[..., Run]) -> None:
    session = make_run(tasks=1).sessions.get()
    assert "delete/" not in as_researcher.get(session.get_absolute_url()).content.decode()
    refused = as_researcher.post(f"/sessions/{session.pk}/delete/").content.decode()
    assert f"The run {session.run_id} counts this session" in refused
    assert Session.objects.filter(pk=session.pk).exists()


def test_what_people_label_stays(tagged_session: Session) -> None:
    study = LabelStudy.objects.create(name="pairs")
    LabelItem.objects.create(study=study, number=1, task=tagged_session.task, left=tagged_session)
    with pytest.raises(ChoiceRefused, match="pairs"):
        delete_session(tagged_session)
    assert Session.objects.filter(pk=tagged_session.pk).exists()


def test_the_command_says_what_would_go_and_deletes_with_yes(
    tagged_session: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("delete_session", tagged_session.pk)
    assert f"--yes deletes session {tagged_session.pk}" in capsys.readouterr().out
    call_command("delete_session", tagged_session.pk, "--yes")
    assert f"deleted session {tagged_session.pk}" in capsys.readouterr().out
    assert not Session.objects.exists()
