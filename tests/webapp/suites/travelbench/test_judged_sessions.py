"""Sessions of TravelBench judged over real HTTP: what is stored, and what becomes of bad answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from benchmark.core.events import SessionFinished
from benchmark.suites.travelbench.modes import DIMENSIONS
from benchmark.suites.travelbench.scoring.sessions import PAPER
from tests.model_server import ModelServer, model_server
from tests.seating import endpoint_at
from tests.webapp.suites.travelbench.conftest import Play
from webapp.catalogue.models import Task, World
from webapp.forms import ChoiceRefused
from webapp.jobs.models import Job
from webapp.judging import selectors, services
from webapp.judging.models import Judgement, Status
from webapp.sessions.log import _cached_logs, row_of, whole_log
from webapp.sessions.models import Session
from webapp.sessions.services import Setup, create_session
from worker.steppers.judgements import advance_judgement

SINGLE, MULTI = DIMENSIONS["single_turn"], DIMENSIONS["multi_turn"]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


@pytest.fixture
def single(shipped_tasks: dict[str, Task], play: Play) -> Session:
    return play(shipped_tasks["travelbench-single-starter-2"])


def judge_sessions(
    server: ModelServer,
    *sessions: Session,
    model: str = "good-judge",
    meta: str = "",
    form: str = "published",
) -> list[Judgement]:
    judge = endpoint_at(server.url, model)
    given = {"meta_judge": endpoint_at(server.url, meta)} if meta else {}
    batch = services.start_batch(sessions=sessions, judge=judge, form=form, **given)
    while due := selectors.due_in(batch):
        for pk in due:
            advance_judgement(pk)
        Job.objects.update(due_at=None)
    return list(batch.judgements.order_by("pk"))


def test_each_session_is_rated_in_the_dimensions_of_its_subtask(
    server: ModelServer, single: Session, shipped_tasks: dict[str, Task], play: Play
) -> None:
    multi = play(shipped_tasks["travelbench-multi-starter-2"])
    one, other = judge_sessions(server, single, multi)
    assert (one.status, other.status) == (Status.JUDGED, Status.JUDGED)
    assert (tuple(one.scores), tuple(other.scores)) == (SINGLE, MULTI)
    assert one.score == pytest.approx(100 * (sum(one.scores.values()) / 3 - 1) / 4)
    assert "<rating>" in one.raw and one.meta_score == 5 and one.faults == []


def test_an_unsolvable_session_is_not_judged(
    server: ModelServer, shipped_tasks: dict[str, Task], play: Play
) -> None:
    unsolved = play(shipped_tasks["travelbench-unsolved-starter-1"])
    with pytest.raises(ChoiceRefused, match="scored by rules alone"):
        judge_sessions(server, unsolved)


def test_an_essay_is_asked_for_again_ten_times_in_all(server: ModelServer, single: Session) -> None:
    (row,) = judge_sessions(server, single, model="broken-judge")
    assert (row.status, row.score, row.tries) == (Status.BROKEN, None, 10)
    assert [fault["kind"] for fault in row.faults] == ["no_xml"] and len(row.calls) == 10


@pytest.mark.parametrize(
    ("form", "status", "tries"), [("published", Status.JUDGED, 1), (PAPER, Status.BROKEN, 10)]
)
def test_a_word_that_is_none_leaves_out_its_dimension_or_by_the_paper_everything(
    server: ModelServer, single: Session, form: str, status: str, tries: int
) -> None:
    (row,) = judge_sessions(server, single, model="seven-judge", meta="good-judge", form=form)
    assert (row.status, tuple(row.scores)) == (status, SINGLE[1:])
    assert [call["seat"] for call in row.calls].count("judge") == tries


def test_without_a_calibration_in_ten_answers_the_ratings_count_as_they_are(
    server: ModelServer, single: Session
) -> None:
    (row,) = judge_sessions(server, single, meta="seven-judge")
    assert [call["seat"] for call in row.calls] == ["judge", *["meta_judge"] * 10]
    assert (row.status, row.meta_score) == (Status.JUDGED, None)
    assert row.score == pytest.approx(100 * (sum(row.scores.values()) / 3 - 1) / 4)


@pytest.mark.parametrize(
    ("form", "status", "asked"), [("published", Status.JUDGED, 2), (PAPER, Status.EMPTY, 0)]
)
def test_a_crash_is_judged_as_an_empty_conversation_and_by_the_paper_s_rules_counts_0_unasked(
    server: ModelServer,
    shipped_tasks: dict[str, Task],
    starter_world: World,
    form: str,
    status: str,
    asked: int,
) -> None:
    crashed = create_session(
        task=shipped_tasks["travelbench-single-starter-2"],
        world=starter_world,
        setup=Setup(agent="reference", users="scripted"),
        start=False,
    )
    opening = whole_log(crashed.pk)
    body = SessionFinished(reason="connection_error")
    row_of(crashed.pk, replace(opening[-1], seq=opening[-1].seq + 1, body=body, actor="system")).save()
    Session.objects.filter(pk=crashed.pk).update(status="crashed")
    _cached_logs.forget()
    (row,) = judge_sessions(server, Session.objects.get(pk=crashed.pk), form=form)
    assert (row.status, row.score, len(row.calls)) == (status, 0, asked)
