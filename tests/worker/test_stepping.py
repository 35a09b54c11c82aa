"""Stepping: a session goes to its end, in pieces, whatever happens in between."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from benchmark.core.actions import Action, CallTools, Say, ToolCall, Waiting
from benchmark.core.participant import BuiltIn
from benchmark.suites.grouptravel.participants import AGENTS
from benchmark.suites.grouptravel.view import GroupView
from benchmark.text import guarded
from tests.killing import play_with_deaths
from tests.seating import Make
from webapp.jobs.models import Job
from webapp.jobs.services import due
from webapp.sessions import services
from webapp.sessions.jobs import SCORE, SESSION
from webapp.sessions.log import read_log
from webapp.sessions.models import Event, Session, Status
from webapp.sessions.scoring import find_outdated, record_of
from webapp.sessions.selectors import values_in
from worker.sessions import action, advance, storage
from worker.sessions.work import Budget
from worker.steppers.scores import score

pytestmark = pytest.mark.storage


def numbers(session: Session) -> list[int]:
    return list(Event.objects.filter(session=session).order_by("seq").values_list("seq", flat=True))


@pytest.mark.both_engines
def test_a_session_runs_to_its_end_and_is_scored(make_session: Make) -> None:
    session = make_session()
    assert advance(session.id, budget_s=None)
    session.refresh_from_db()
    assert (session.status, session.completion_reason) == (Status.FINISHED, "plan_generated")
    assert numbers(session) == list(range(1, session.last_seq + 1))
    score = session.scores.get(profile="published")
    values = values_in(score)
    assert values["pc"] > 0.6 and {"gu", "gf", "pv"} <= values.keys()
    record = record_of(session)
    assert record["plan_generated"] and record["total_rounds"] == session.round
    assert not advance(session.id)


def test_the_same_seed_gives_the_same_conversation_in_pieces_or_whole(make_session: Make) -> None:
    whole, pieces = (make_session(seed=3) for _ in range(2))
    advance(whole.id, budget_s=None)
    for _ in range(2000):
        if not advance(pieces.id, budget_s=0.0):
            break
    volatile = {"duration"}
    one, two = ({k: v for k, v in record_of(s).items() if k not in volatile} for s in (whole, pieces))
    assert one == two


@pytest.mark.parametrize("others_wait", [True, False], ids=["others wait", "nobody waits"])
def test_a_session_is_given_back_after_its_time_where_another_one_waits(
    make_session: Make, monkeypatch: pytest.MonkeyPatch, others_wait: bool
) -> None:
    monkeypatch.setattr(Budget, "RENEWALS", 1_000_000)
    session = make_session()
    if others_wait:
        make_session(seed=9)
    assert advance(session.id, budget_s=0.001)
    session.refresh_from_db()
    assert session.ended is not others_wait


def test_a_session_is_given_back_in_the_end_though_nobody_waits(make_session: Make) -> None:
    session = make_session()
    assert advance(session.id, budget_s=0.001)
    session.refresh_from_db()
    assert not session.ended and services.claim(session_id=session.pk)


def stores_of(session: Session, monkeypatch: pytest.MonkeyPatch, late_s: float) -> list[int]:
    """The events of each transaction of a session that is played to its end."""
    real, sizes = services.append, list[int]()

    def count_events(**given: Any) -> services.Wishes:
        sizes.append(len(given["events"]))
        return real(**given)

    with monkeypatch.context() as patched:
        patched.setattr(services, "append", count_events)
        patched.setattr(storage, "LATE_S", late_s)
        advance(session.pk, budget_s=None, paced=False)
    return sizes


def contents_of(session: Session) -> list[tuple[Any, ...]]:
    """All that a log holds but times."""
    events = [(event.seq, event.actor, event.body.model_dump()) for event in read_log(session)]
    return [(seq, actor, {**body, "latency_ms": None}) for seq, actor, body in events]


def test_steps_that_are_stored_together_make_the_same_log(
    make_session: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    apart, together = (make_session(seed=3) for _ in range(2))
    one_by_one = stores_of(apart, monkeypatch, -1.0)
    joined = stores_of(together, monkeypatch, 60.0)
    assert sum(one_by_one) == sum(joined) and len(joined) < len(one_by_one) / 3
    assert contents_of(apart) == contents_of(together)
    times = [event.at for event in read_log(together)]
    assert times == sorted(times) and len(set(times)) > len(joined)


@pytest.mark.parametrize("is_stored", [True, False])
def test_workers_that_die_with_kept_steps_change_nothing(
    make_session: Make, monkeypatch: pytest.MonkeyPatch, is_stored: bool
) -> None:
    whole, killed = (make_session(seed=3) for _ in range(2))
    advance(whole.pk, budget_s=None, paced=False)
    assert play_with_deaths(killed, monkeypatch, lambda seq: is_stored, late_s=0.02) > 1
    assert contents_of(killed) == contents_of(whole)


def test_of_kept_steps_one_that_cannot_be_stored_ends_the_session_after_those_before_it(
    make_session: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, session, ends = services.append, make_session(seed=3), ("error_raised", "session_finished")

    def refuse_words(**given: Any) -> services.Wishes:
        if any(event.seq == 20 and event.body.type not in ends for event in given["events"]):
            raise ValueError("a lone surrogate")
        return real(**given)

    whole = make_session(seed=3)
    advance(whole.pk, budget_s=None, paced=False)
    with monkeypatch.context() as patched:
        patched.setattr(services, "append", refuse_words)
        patched.setattr(storage, "LATE_S", 60.0)
        advance(session.pk, budget_s=None, paced=False)
    session.refresh_from_db()
    assert (session.status, session.completion_reason) == (Status.CRASHED, "runtime_error")
    kept = contents_of(session)[:-2]
    assert len(kept) >= 15 and kept == contents_of(whole)[: len(kept)]


def test_a_paced_session_pauses_after_what_a_watcher_sees(make_session: Make) -> None:
    session = make_session(pace=30.0)
    before = len(numbers(session))
    assert advance(session.id)
    assert len(numbers(session)) > before
    due_at = Job.objects.get(kind=SESSION.name, subject=session.id).due_at
    assert due_at is not None and due_at > timezone.now() + timedelta(seconds=20)
    assert not advance(session.id)
    assert due(kind=SESSION) == []


def test_stopping_ends_a_session_that_waits_for_its_pace(make_session: Make) -> None:
    session = make_session(pace=30.0)
    advance(session.id)
    services.request_stop(Session.objects.filter(pk=session.pk))
    assert advance(session.id)
    session.refresh_from_db()
    assert (session.status, session.completion_reason) == (Status.STOPPED, "stopped")


class FailingAgent:
    def act(self, view: GroupView) -> Action:
        raise ValueError("no idea")


class Offline:
    def act(self, view: GroupView) -> Action:
        raise ConnectionError("gone")


class Mute:
    """Calls a tool that is none, and then tools although it may not."""

    def act(self, view: GroupView) -> Action:
        if view.turn.kind == "summary":
            return Say("{}")
        return CallTools((ToolCall("no_such_tool", {"a": view.turn.step}),))


@pytest.mark.parametrize(
    ("agent", "reason"),
    [(FailingAgent, "runtime_error"), (Offline, "connection_error"), (Mute, "runtime_error")],
)
def test_a_participant_that_fails_crashes_its_session_and_nothing_else(
    make_session: Make, monkeypatch: pytest.MonkeyPatch, agent: Any, reason: str
) -> None:
    monkeypatch.setitem(AGENTS, "broken", BuiltIn(lambda context: agent()))
    session = make_session(agent="broken")
    advance(session.id, budget_s=None)
    session.refresh_from_db()
    assert (session.status, session.completion_reason) == (Status.CRASHED, reason)
    record = record_of(session)
    assert record["success"] is False and record["error"]
    assert not values_in(session.scores.get(profile="published"))


class StuckAgent:
    """Reads with an expression that does not come to an end."""

    def act(self, view: GroupView) -> Action:
        guarded.search("(?:a|aa)+$", "a" * 80 + "c")
        return Say("Nothing of it is said.")


def test_a_text_that_cant_be_read_to_its_end_ends_the_session_in_words(
    make_session: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guarded, "LIMIT_S", 0.05)
    monkeypatch.setitem(AGENTS, "stuck", BuiltIn(lambda context: StuckAgent()))
    session = make_session(agent="stuck")
    advance(session.id, budget_s=None)
    session.refresh_from_db()
    assert (session.status, session.completion_reason) == (Status.CRASHED, "runtime_error")
    record = record_of(session)
    assert "an expression was stopped after 0.05 s of processor time" in record["error"]
    assert "Nothing of it is said." not in str(record)


def test_a_participant_that_this_version_lacks_is_a_crash_with_its_name(
    make_session: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as version:
        version.setitem(AGENTS, "telepath", AGENTS["reference"])
        session = make_session(agent="telepath")
    advance(session.id, budget_s=None)
    session.refresh_from_db()
    assert session.status == Status.CRASHED
    assert "telepath" in record_of(session)["error"]


def test_a_step_that_kills_its_workers_ends_the_session(
    make_session: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each claim dies before it stores anything, as a worker does that runs out of memory."""

    class WorkerKilled(BaseException):
        pass

    def die(*_: object) -> None:
        raise WorkerKilled

    session = make_session()
    with monkeypatch.context() as patched:
        patched.setattr(action, "step", die)
        for _ in range(SESSION.attempts):
            with pytest.raises(WorkerKilled):
                advance(session.id)
            Job.objects.filter(kind=SESSION.name, subject=session.id).update(
                expires_at=timezone.now() - timedelta(seconds=1)
            )
    advance(session.id)
    session.refresh_from_db()
    assert (session.status, session.completion_reason) == (Status.CRASHED, "runtime_error")


@pytest.mark.both_engines
def test_a_worker_that_lost_its_lease_drops_its_step(
    make_session: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = make_session()
    real = action.step

    def slow(*arguments: Any) -> Any:
        Job.objects.filter(kind=SESSION.name, subject=session.id).update(token=99)
        return real(*arguments)

    before = numbers(session)
    with monkeypatch.context() as patched:
        patched.setattr(action, "step", slow)
        assert advance(session.id)
    assert numbers(session) == before


@pytest.mark.both_engines
def test_a_worker_that_dies_before_it_scores_leaves_the_scores_to_the_next(make_session: Make) -> None:
    session = make_session()
    advance(session.id, budget_s=None)
    session.scores.all().delete()
    assert find_outdated() and due(kind=SCORE) == [session.id]
    assert score(session.id)
    assert "pc" in values_in(session.scores.get(profile="published"))
    assert not find_outdated() and due(kind=SCORE) == []
    assert not score(session.id)


def test_a_log_that_cannot_be_read_ends_its_session(make_session: Make) -> None:
    session = make_session()
    Event.objects.filter(session=session, seq=2).update(type="told_by_a_later_version")
    assert advance(session.id)
    session.refresh_from_db()
    assert session.status == Status.CRASHED
    assert due(kind=SESSION) == []


class Absent:
    def act(self, view: GroupView) -> Action:
        return Waiting()


def test_a_session_that_waits_for_a_person_sleeps(
    make_session: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(AGENTS, "absent", BuiltIn(lambda context: Absent()))
    session = make_session(agent="absent")
    for _ in range(SESSION.attempts + 3):
        assert advance(session.id)
        assert due(kind=SESSION) == []
        Job.objects.filter(kind=SESSION.name, subject=session.id).update(due_at=None)
    session.refresh_from_db()
    assert session.status == Status.RUNNING
    services.request_stop(Session.objects.filter(pk=session.pk))
    advance(session.id)
    session.refresh_from_db()
    assert session.status == Status.STOPPED
