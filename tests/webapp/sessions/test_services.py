"""The lease and the log: who may write, and that a step is stored whole or not at all."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.utils import timezone

from benchmark.core.engine import Conversation, Step
from benchmark.core.events import MessagePosted, SessionFinished
from benchmark.suites.grouptravel.conversation.rules import RULES
from benchmark.suites.grouptravel.conversation.scheduler import next_turn
from tests.threads import start_in_thread
from webapp.catalogue.fitting import fit_of
from webapp.catalogue.models import Task, World
from webapp.forms import ChoiceRefused
from webapp.jobs import services as jobs
from webapp.jobs.models import Job
from webapp.jobs.services import LeaseLost, due
from webapp.sessions import services
from webapp.sessions.jobs import SESSION
from webapp.sessions.log import read_log
from webapp.sessions.models import Event, Session, Status

pytestmark = pytest.mark.storage


@pytest.fixture
def session(starter_world: World, starter_tasks: list[Task]) -> Session:
    return services.create_session(
        task=starter_tasks[0], world=starter_world, setup=services.Setup(), start=False
    )


def conversation(session: Session) -> Conversation:
    log = Conversation(RULES)
    for event in read_log(session):
        log.apply(event)
    return log


def write_a_step(session: Session, claimed: jobs.Claim) -> None:
    log = conversation(session)
    events = log.append(Step("system", (next_turn(log.state),)))
    services.append(claimed=claimed, events=events, state=log.state)


def test_a_new_session_has_its_opening_and_keeps_the_polling_order(session: Session) -> None:
    log = conversation(session)
    assert log.state.users == list(session.task.definition["user_preferences"])
    assert {
        user: dealt.card for user, dealt in log.state.cards.items()
    } == session.task.parsed_definition.cards()
    assert session.last_seq == log.state.seq == Event.objects.filter(session=session).count()


def test_a_task_whose_cities_the_world_lacks_is_refused_with_the_list(
    starter_world: World, starter_tasks: list[Task]
) -> None:
    task = starter_tasks[0]
    metadata = {**task.definition["metadata"], "cities": ["杭州市", "三亚市"], "departure_city": "拉萨市"}
    task.definition = {**task.definition, "metadata": metadata}
    with pytest.raises(ChoiceRefused, match="拉萨市, 三亚市"):
        services.create_session(task=task, world=starter_world, setup=services.Setup())
    assert not Session.objects.exists()


@pytest.mark.both_engines
def test_only_one_claim_succeeds_until_it_is_released(session: Session) -> None:
    first = services.claim(session_id=session.id)
    assert first is not None
    assert services.claim(session_id=session.id) is None
    jobs.release(claimed=first)
    assert services.claim(session_id=session.id) is not None


@pytest.mark.both_engines
def test_a_late_renewal_does_not_take_a_lease_back_that_was_given_up(session: Session) -> None:
    first = services.claim(session_id=session.id)
    assert first is not None
    jobs.release(claimed=first)
    assert not jobs.renew(claimed=first)
    assert services.claim(session_id=session.id) is not None


@pytest.mark.both_engines
def test_a_session_is_not_claimed_before_it_is_due(session: Session) -> None:
    first = services.claim(session_id=session.id)
    assert first is not None
    jobs.release(claimed=first, due_at=timezone.now() + timedelta(minutes=1))
    assert services.claim(session_id=session.id) is None
    assert due(kind=SESSION) == []


@pytest.mark.both_engines
def test_a_late_writer_is_refused_and_stores_nothing(session: Session) -> None:
    late = services.claim(session_id=session.id)
    assert late is not None
    Job.objects.filter(kind=SESSION.name, subject=session.id).update(
        expires_at=timezone.now() - timedelta(seconds=1)
    )
    new = services.claim(session_id=session.id)
    assert new is not None
    before = Event.objects.filter(session=session).count()
    with pytest.raises(LeaseLost):
        write_a_step(session, late)
    assert Event.objects.filter(session=session).count() == before
    write_a_step(session, new)
    assert not jobs.renew(claimed=late)


@pytest.mark.both_engines
def test_two_events_of_one_number_are_never_stored(session: Session) -> None:
    claimed = services.claim(session_id=session.id)
    assert claimed is not None
    log = conversation(session)
    stale = log.append(Step("system", (next_turn(log.state),)))
    services.append(claimed=claimed, events=stale, state=log.state)
    with pytest.raises(LeaseLost):
        services.append(claimed=claimed, events=stale, state=log.state)
    assert Event.objects.filter(session=session, seq=stale[0].seq).count() == 1


def test_the_end_of_the_log_is_the_end_of_the_session(session: Session) -> None:
    claimed = services.claim(session_id=session.id)
    assert claimed is not None
    log = conversation(session)
    events = log.append(Step("system", (SessionFinished(reason="stopped"),)))
    services.append(claimed=claimed, events=events, state=log.state)
    jobs.release(claimed=claimed)
    session.refresh_from_db()
    assert (session.status, session.completion_reason) == (Status.STOPPED, "stopped")
    assert services.claim(session_id=session.id) is None


@pytest.mark.both_engines
def test_a_wish_to_stop_reaches_whoever_works_on_it(session: Session) -> None:
    claimed = services.claim(session_id=session.id)
    assert claimed is not None
    services.request_stop(Session.objects.filter(pk=session.pk))
    log = conversation(session)
    events = log.append(Step("User1", (MessagePosted(role="User1", content="好", opening=True),)))
    assert services.append(claimed=claimed, events=events, state=log.state).stop


@pytest.mark.both_engines
@pytest.mark.django_db(transaction=True)
def test_of_many_claims_at_once_exactly_one_succeeds(starter_world: World, starter_tasks: list[Task]) -> None:
    session = services.create_session(
        task=starter_tasks[0], world=starter_world, setup=services.Setup(), start=False
    )
    claims: list[jobs.Claim | None] = []
    gate = threading.Barrier(8)

    def try_it() -> None:
        gate.wait()
        claims.append(services.claim(session_id=session.id))

    for thread in [start_in_thread(try_it) for _ in range(8)]:
        thread.join()
    assert len(claims) == 8
    assert len([claimed for claimed in claims if claimed]) == 1


def test_a_world_whose_pack_is_gone_is_refused_in_words(
    starter_world: World, starter_tasks: list[Task]
) -> None:
    World.objects.filter(pk=starter_world.pk).update(pack="gone.sqlite3")
    starter_world.refresh_from_db()
    with pytest.raises(ChoiceRefused, match="Import it again"):
        services.create_session(task=starter_tasks[0], world=starter_world, setup=services.Setup())
    assert not fit_of(starter_world, [starter_tasks[0].needs]).suits
