"""Whether the recorded sessions are what the code would play today."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from benchmark.core.state import fold_events
from benchmark.suites import suite_named
from tests.model_server import model_server
from tests.recordings import NAMES, recording_of
from tests.recordings.playing import play_anew, what_happened
from webapp.catalogue.models import World
from webapp.catalogue.starter import load_starter_tasks
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session, Status
from webapp.sessions.scoring import score_session

REMEDY = "the recordings no longer match the code; where that is meant: python -m tests.recordings.make"


@pytest.mark.django_db
@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_session_has_ended_and_its_log_folds(
    recorded_session: Callable[..., Session], name: str
) -> None:
    session = recorded_session(name)
    state = fold_events(suite_named(session.suite).play.rules.state(), whole_log(session.pk))
    assert session.status == Status.FINISHED
    assert (state.seq, state.final_event is not None) == (session.last_seq, True)


@pytest.mark.django_db
@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_session_is_scored_as_the_code_would(
    recorded_session: Callable[..., Session], name: str
) -> None:
    session = recorded_session(name)
    before = {score.profile: score.figures for score in session.scores.all()}
    session.scores.all().delete()
    score_session(session=session)
    assert {score.profile: score.figures for score in session.scores.all()} == before, REMEDY


@pytest.mark.django_db
def test_a_recorded_session_can_be_loaded_twice(recorded_session: Callable[..., Session]) -> None:
    first, second = recorded_session("models"), recorded_session("models")
    assert first.pk != second.pk
    assert first.task_id == second.task_id
    assert recording_of(first)["endpoints"] == recording_of(second)["endpoints"]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", NAMES)
def test_the_code_plays_what_is_recorded(
    recorded_session: Callable[..., Session], starter_world: World, name: str
) -> None:
    load_starter_tasks()
    with model_server() as server:
        played = play_anew(name, starter_world, server.url)
    assert what_happened(played) == what_happened(recorded_session(name)), REMEDY
