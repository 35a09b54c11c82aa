"""Runs whose sessions ended as a test wishes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.webapp.runs.conftest import end, make_run, use
from webapp.endpoints.models import ModelEndpoint
from webapp.judging.models import JudgeBatch, Judgement
from webapp.judging.values import store_scores
from webapp.reports.folding import catch_up
from webapp.sessions.models import Run, Session, Status

__all__ = ["make_run"]


@pytest.fixture
def played_run(make_run: Callable[..., Run]) -> Run:
    """Three tasks twice: four finished, one crashed, one stopped."""
    run = make_run(tasks=3, trials=2, name="the first | <b>run</b>")
    *finished, crashed, stopped = run.sessions.order_by("task__position", "trial_id")
    for number, session in enumerate(finished):
        end(session, gu=4.0 + number, pv=False, uses={"search_poi": use(6 + number, hits=3)})
        counted = {"pv_issue_counts": {"missing_hotel": 2, "time_overlap": number}}
        score = session.scores.get()
        score.figures = counted
        score.save()
    end(crashed, Status.CRASHED, "runtime_error")
    end(stopped, Status.STOPPED, "stopped", uses={"search_poi": use(90)})
    catch_up([run])
    return run


@pytest.fixture
def judge(db: None) -> Callable[..., None]:
    """Has a session rated alike in every dimension, in the one batch of that judge unless `anew`.

    The model is the one that the judge's name had when the batch began.
    """
    from benchmark.suites.grouptravel.judging.rubric import DIMENSIONS, judge_score

    def rate(
        session: Session,
        rating: int,
        by: str = "strict",
        anew: bool = False,
        model: str = "",
        prompts: str = "",
    ) -> None:
        endpoint, _ = ModelEndpoint.objects.get_or_create(name=by, defaults={"model": "m"})
        asked = {"run": session.run, "judge": endpoint, "meta_judge": endpoint}
        batch = JudgeBatch.objects.filter(**asked).order_by("created_at").last()
        if anew or batch is None:
            setup = {"model": model}
            batch = JudgeBatch.objects.create(**asked, judge_setup=setup, meta_setup=setup)
        scores = dict.fromkeys(DIMENSIONS, rating)
        Judgement.objects.create(
            batch=batch,
            session=session,
            rated=True,
            prompts=prompts,
            scores=scores,
            meta_score=5,
            score=judge_score(scores, 5),
        )
        store_scores(session.pk)

    return rate
