"""Starting and stopping a run: all of its sessions, or none."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchmark.suites.grouptravel.events import SessionOpened
from tests.webapp.runs.conftest import end
from webapp.catalogue.models import Task, World
from webapp.forms import ChoiceRefused
from webapp.jobs.models import Job
from webapp.jobs.services import due
from webapp.runs import services
from webapp.runs.selectors import progress, unsettled_sessions
from webapp.runs.services import create_run
from webapp.sessions.jobs import SESSION
from webapp.sessions.log import read_log
from webapp.sessions.models import Event, Run, Session, Status
from webapp.sessions.services import (
    Draft,
    Setup,
    pause_sessions,
    request_stop,
    resume_sessions,
    store_sessions,
)

pytestmark = pytest.mark.storage


def test_a_run_has_a_session_for_every_task_and_trial(make_run: Callable[..., Run]) -> None:
    run = make_run(tasks=3, trials=2, seed=40)
    sessions = list(run.sessions.select_related("task").order_by("created_at"))
    assert [(s.trial_id, s.seed) for s in sessions] == [(0, 40)] * 3 + [(1, 41)] * 3
    assert len({s.task_id for s in sessions[:3]}) == 3
    assert sorted(due(kind=SESSION)) == sorted(s.pk for s in sessions)


def test_each_log_opens_with_its_own_seed_and_the_sandbox_of_the_run(make_run: Callable[..., Run]) -> None:
    run = make_run(tasks=2, trials=2, seed=7)
    for session in run.sessions.all():
        log = list(read_log(session))
        opened = log[0].body
        assert isinstance(opened, SessionOpened)
        assert (opened.seed, opened.sandbox.model_dump()) == (session.seed, run.setup["sandbox"])
        assert session.last_seq == len(log)


def test_one_task_that_cannot_run_refuses_all_and_every_such_task_is_named(
    starter_world: World, small_world: World, starter_tasks: list[Task]
) -> None:
    with pytest.raises(ChoiceRefused) as refused:
        create_run(name="x", tasks=starter_tasks, world=small_world, setup=Setup())
    told = str(refused.value)
    assert all(task.task_id in told for task in starter_tasks)
    assert "15 of 15 tasks" in told and "武汉市" in told
    assert refused.value.field == "world"
    assert not Run.objects.exists() and not Session.objects.exists()


@pytest.mark.both_engines
def test_a_failure_in_the_middle_leaves_nothing(
    make_run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "BATCH", 2)
    calls: list[int] = []

    def fail_at_last(drafts: list[Draft]) -> None:
        store_sessions(drafts)
        calls.append(len(drafts))
        if len(calls) == 2:
            raise RuntimeError

    monkeypatch.setattr(services, "store_sessions", fail_at_last)
    with pytest.raises(RuntimeError):
        make_run(tasks=3)
    assert not any(model.objects.exists() for model in (Run, Session, Event, Job))


@pytest.mark.parametrize(
    ("tasks", "trials", "seed", "field", "words"),
    [
        (0, 1, 0, "tasks", "at least one"),
        (2, 0, 0, "trials", "at least one trial"),
        (2, 2501, 0, "trials", "2 tasks × 2501 trials are 5002 sessions, and at most 5000 are allowed"),
        (1, 2, 2**31 - 1, "seed", "between 0 and 2147483647"),
    ],
)
def test_sizes_that_are_refused(
    make_run: Callable[..., Run], tasks: int, trials: int, seed: int, field: str, words: str
) -> None:
    with pytest.raises(ChoiceRefused, match=words) as refused:
        make_run(tasks=tasks, trials=trials, seed=seed)
    assert refused.value.field == field
    assert not Run.objects.exists()


@pytest.mark.both_engines
def test_the_database_is_asked_as_often_for_many_sessions_as_for_few(make_run: Callable[..., Run]) -> None:
    def queries(trials: int) -> int:
        with CaptureQueriesContext(connection) as captured:
            make_run(tasks=3, trials=trials)
        return len([q for q in captured if not q["sql"].startswith("INSERT")])

    assert queries(1) == queries(8)


def test_only_the_first_sessions_are_sent_the_sweeper_finds_the_others(
    starter_world: World, starter_tasks: list[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    monkeypatch.setattr("webapp.sessions.services.AT_ONCE", 4)
    monkeypatch.setattr("webapp.jobs.services.send_work", lambda _kind, subject, **_: sent.append(subject))
    run = create_run(name="x", tasks=starter_tasks, world=starter_world, setup=Setup(), trials=2)
    first = run.sessions.order_by("created_at").values_list("pk", flat=True)[:4]
    assert sent == list(first)
    assert len(due(kind=SESSION)) == 2 * len(starter_tasks)


def test_stopping_asks_every_session_that_goes_on_and_no_other(make_run: Callable[..., Run]) -> None:
    run, other = make_run(tasks=3), make_run(tasks=1)
    ended = run.sessions.order_by("created_at")[0]
    end(ended)
    Job.objects.update(due_at="2099-01-01T00:00:00Z")
    request_stop(run.sessions.all())
    asked = set(Session.objects.filter(stop_requested=True).values_list("pk", flat=True))
    assert asked == set(run.sessions.exclude(pk=ended.pk).values_list("pk", flat=True))
    assert set(due(kind=SESSION)) == asked
    assert progress([run, other])[run.pk].stopping
    assert not progress([run, other])[other.pk].stopping


@pytest.mark.both_engines
def test_progress_counts_by_status_and_knows_when_nothing_changes_any_more(
    make_run: Callable[..., Run],
) -> None:
    run = make_run(tasks=5)
    one, two, three, four, five = run.sessions.order_by("created_at")
    Session.objects.filter(pk=one.pk).update(status=Status.RUNNING)
    end(two)
    end(three, Status.CRASHED, "runtime_error")
    end(four, Status.STOPPED, "stopped")
    four.scores.all().delete()
    now = progress([run])[run.pk]
    assert (now.queued, now.running, now.finished, now.crashed, now.stopped) == (1, 1, 1, 1, 1)
    assert (now.sessions, now.ended, now.unscored, now.going) == (5, 3, 1, True)
    assert set(unsettled_sessions(run)) == {one.pk, four.pk, five.pk}
    for session in (one, five):
        end(session)
    now = progress([run])[run.pk]
    assert (now.going, now.settled) == (False, False)
    four.scores.create(profile="published", code_version="1", figures={})
    assert progress([run])[run.pk].settled
    assert unsettled_sessions(run) == []


def test_a_paused_run_rests_until_it_is_told_to_go_on(make_run: Callable[..., Run]) -> None:
    run, other = make_run(tasks=2), make_run(tasks=1)
    ended = run.sessions.order_by("created_at")[0]
    end(ended)
    pause_sessions(run.sessions.all())
    assert set(due(kind=SESSION)) == {*other.sessions.values_list("pk", flat=True)}
    assert progress([run])[run.pk].resting and not progress([other])[other.pk].resting
    resume_sessions(run.sessions.all())
    assert set(run.sessions.exclude(pk=ended.pk).values_list("pk", flat=True)) <= set(due(kind=SESSION))
    assert not progress([run])[run.pk].resting
