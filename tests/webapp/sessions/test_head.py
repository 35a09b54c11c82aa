"""The figures above a session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from benchmark.core.events import SessionFinished
from benchmark.suites.grouptravel.conversation.state import SessionState
from tests.markup import text, tight, words_of
from tests.webapp.conftest import Writer
from webapp.endpoints.models import ModelEndpoint
from webapp.judging.models import JudgeBatch, Judgement, Status
from webapp.sessions.head import status_line
from webapp.sessions.models import MetricValue, Mode, Session
from webapp.sessions.models import Status as SessionStatus
from webapp.sessions.reading import Reading
from webapp.sessions.services import Setup, create_session
from webapp.tables.entries import refresh

pytestmark = pytest.mark.django_db


def head(client: Client, session: Session) -> str:
    return text(client.get(f"/sessions/{session.pk}/head/"))


@pytest.fixture
def endpoint(db: None) -> ModelEndpoint:
    return ModelEndpoint.objects.create(name="mine", base_url="http://127.0.0.1:9/v1", model="m")


def judge(session: Session, endpoint: ModelEndpoint, *states: Status) -> None:
    setups: dict[str, Any] = {"judge_setup": {}, "meta_setup": {}}
    batch = JudgeBatch.objects.create(judge=endpoint, meta_judge=endpoint, repeats=len(states), **setups)
    for repeat, status in enumerate(states, 1):
        Judgement.objects.create(batch=batch, session=session, repeat=repeat, status=status)


def test_without_models_nobody_could_judge(as_researcher: Client, eventful: Session) -> None:
    assert "judge (no model)" in head(as_researcher, eventful)


def test_with_models_it_is_only_not_judged(
    as_researcher: Client, eventful: Session, endpoint: ModelEndpoint
) -> None:
    assert "judge (not judged)" in head(as_researcher, eventful)


@pytest.mark.parametrize(
    ("states", "words"),
    [
        ((Status.BROKEN, Status.FAILED), "judge (no score)"),
        ((Status.BROKEN, Status.QUEUED), "judge (being asked)"),
    ],
)
def test_a_judge_without_a_score_is_told(
    as_researcher: Client,
    eventful: Session,
    endpoint: ModelEndpoint,
    states: tuple[Status, ...],
    words: str,
) -> None:
    judge(eventful, endpoint, *states)
    assert words in head(as_researcher, eventful)


def test_completeness_is_in_per_cent_wherever_it_is_shown(as_researcher: Client, eventful: Session) -> None:
    for key, value in (("pc", 0.9979), ("gu", -1.5)):
        MetricValue.objects.filter(session=eventful, key=key).update(value=value)
    refresh([eventful.pk])
    shown = head(as_researcher, eventful)
    assert "<b>99.8</b> <span>completeness, %</span>" in shown and "<b>−1.50</b>" in shown
    listed = tight(as_researcher.get("/sessions/").content.decode())
    assert "PC %</a></th>" in listed and "99.8 −1.50" in words_of(listed)


def test_hits_are_told_only_where_a_cache_answers(as_researcher: Client, begin: Callable[[], Writer]) -> None:
    writer = begin()
    writer.call(1)
    assert "<b>1</b> <span>tool call</span>" in head(as_researcher, writer.session)
    Session.objects.update(mode=Mode.ISOLATED)
    assert "<span>tool calls, 1 hit</span>" in head(as_researcher, writer.session)


def test_a_model_is_named_alike_in_the_chat_the_head_and_the_panel(
    as_researcher: Client, played_by_a_model: Session
) -> None:
    page = tight(as_researcher.get(f"/sessions/{played_by_a_model.pk}/?tab=models").content.decode())
    assert page.count("(<code>some/model:7b</code>)") == 3
    assert "Agent: llm over mine (<code>some/model:7b</code>)" in page


@pytest.fixture
def played_by_a_model(begin: Callable[[], Writer], endpoint: ModelEndpoint) -> Session:
    """A session whose agent speaks through `mine`."""
    ModelEndpoint.objects.update(model="some/model:7b")
    first, endpoint = begin().session, ModelEndpoint.objects.get()
    setup = Setup(agent="llm", agent_model=endpoint)
    return create_session(task=first.task, world=first.world, setup=setup, start=False)


@pytest.mark.parametrize(
    ("state", "line"),
    [
        (SessionState(), "Waiting for the next turn …"),
        (SessionState(plan={"days": []}), "The plan is made. The agent notes the inferred preferences …"),
        (
            SessionState(plan={"days": []}, final_event=SessionFinished(reason="plan_generated")),
            "proposed its plan",
        ),
    ],
)
def test_the_status_follows_the_log_to_its_end(state: SessionState, line: str) -> None:
    """Whatever the session's row says yet."""
    reading = Reading(Session(status=SessionStatus.RUNNING), [])
    reading.__dict__["state"] = state
    assert line in status_line(reading)


@pytest.mark.parametrize(("mode", "words"), [(Mode.WORLD, "world"), (Mode.ISOLATED, "isolated")])
def test_who_answers_the_tools_is_named(
    as_researcher: Client, eventful: Session, mode: Mode, words: str
) -> None:
    Session.objects.update(mode=mode)
    html = tight(as_researcher.get(f"/sessions/{eventful.pk}/head/").content.decode())
    assert f'title="Who answers tool calls">{words}</span>' in html
