"""A TRIP-Bench session whose worker is killed at each of its steps, and that is paused: nothing of it changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.killing import play_with_deaths
from webapp.catalogue.models import Task, World
from webapp.sessions.log import read_log
from webapp.sessions.models import Session
from webapp.sessions.scoring import find_outdated, record_of
from webapp.sessions.services import Setup, create_session, pause_sessions, resume_sessions
from worker.sessions import advance
from worker.steppers.scores import score

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
STARS = {"rubric": "hotel.star", "args": {"min": 3}}
MORE_STARS = {"behaviour": "modify", "rubric": "hotel.star", "args": {"min": 4}}
TASK = {
    "id": "killed",
    "language": "en",
    "tier": "mid",
    "subset": "ais",
    "style": "anxious",
    "meta": {
        "origin": "上海市",
        "stays": [["杭州市", 1]],
        "start_date": "2026-05-01",
        "end_date": "2026-05-02",
        "people": 2,
    },
    "nodes": [
        {"instructions": [{"id": "a", **STARS, "is_vague": True}]},
        {"instructions": [{"id": "b", **MORE_STARS, "drops": ["a"]}]},
        {"instructions": [{"id": "c", "rubric": "hotel.pet_friendly"}]},
    ],
}


@pytest.fixture
def task(tmp_path: Path, starter_world: World) -> Task:
    path = tmp_path / "tasks.jsonl"
    path.write_text(json.dumps(TASK))
    call_command("import_tasks", path, "--suite", "tripbench")
    return Task.objects.get(task_id="killed")


def contents_of(session: Session) -> list[tuple[str, str, dict[str, Any]]]:
    """All that was said, called and answered; how long it took is nobody's."""
    return [
        (event.actor, event.audience, event.body.model_dump(exclude={"latency_ms"}))
        for event in read_log(session)
    ]


def test_workers_that_die_at_each_step_and_pauses_change_nothing_of_a_conversation(
    task: Task, starter_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup = Setup(agent="reference", users="scripted")
    whole, killed = (
        create_session(task=task, world=starter_world, setup=setup, start=False) for _ in range(2)
    )
    advance(whole.pk, budget_s=None, paced=False)
    own = Session.objects.filter(pk=killed.pk)

    def pause(deaths: int) -> None:
        """Every third time: the next worker does nothing until somebody has the session go on."""
        if deaths % 3 == 0:
            pause_sessions(own)
            before = killed.events.count()
            advance(killed.pk, budget_s=None, paced=False)
            assert killed.events.count() == before and not killed.scores.exists()
            resume_sessions(own)

    assert play_with_deaths(killed, monkeypatch, lambda seq: seq % 2 == 0, pause) >= 12
    if not killed.scores.exists():  # it died between its end and its scores: the sweeper finds it
        assert find_outdated() and score(killed.pk)
    assert contents_of(killed) == contents_of(whole)
    assert record_of(killed) == record_of(whole)
    one, other = ({own.profile: own.figures for own in each.scores.all()} for each in (killed, whole))
    assert one and one == other
    turns = [
        [*each.turn_values.order_by("turn", "key").values_list("turn", "key", "value")]
        for each in (killed, whole)
    ]
    assert turns[0] and turns[0] == turns[1]
