"""Stepping a judgement: claim it, ask the judge or the meta-judge once, store what came of it, give it back."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from benchmark.core.events import ModelCalled
from benchmark.core.line import Line, SeatModel
from benchmark.judging import (
    Judge,
    MetaJudge,
    Rating,
    Transcript,
    crashed_without_conversation,
    judge_request,
)
from benchmark.judging import Judgement as Judged
from benchmark.models import ModelFailure, ModelSetup
from benchmark.models.patience import Failing, wait_s
from webapp.endpoints.slots import NoPlace
from webapp.jobs.services import Claim, LeaseLost, gone, hand_over, to_be_cancelled
from webapp.judging import services
from webapp.judging.jobs import JUDGEMENT
from webapp.judging.models import Judgement, Status
from webapp.judging.selectors import JUDGE, META, due_in
from webapp.sessions.log import whole_log
from worker.lease_keeper import lease_keeper
from worker.model_calls.live import LiveModel

UNREADABLE = (KeyError, ValueError, TypeError, AssertionError)
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Work:
    """A claimed judgement at work in this thread. line: what was asked in this step."""

    row: Judgement
    claim: Claim
    line: Line

    @property
    def seat(self) -> str:
        """Whose answer is awaited."""
        return META if self.row.rated else JUDGE


def advance_judgement(judgement_id: int) -> bool:
    """One step of a judgement: at most one request to a model. What remains is enqueued.

    Returns whether this call worked on it at all: not when somebody else holds it, when it has ended or is not due.
    """
    claimed = services.claim(judgement_id=judgement_id)
    if claimed is None:
        return False
    rows = Judgement.objects.select_related("batch__judge", "batch__meta_judge", "batch__prompt_set")
    if (row := rows.filter(pk=judgement_id).first()) is None:
        return gone(claimed=claimed)
    work = Work(row, claimed, Line())
    try:
        with lease_keeper().keep_lease(claimed), row.batch.words:
            _step(work)
    except LeaseLost:
        logger.info("judgement %s went to another worker, or was stopped", judgement_id)
    for pk in due_in(work.row.batch)[:1]:
        hand_over(kind=JUDGEMENT, subject=str(pk))
    return True


def _step(work: Work) -> None:
    """Whatever goes wrong is an end of this judgement, and of no other."""
    if work.claim.cancelled or work.row.batch.stop_requested:
        return services.end(claimed=work.claim, status=Status.STOPPED)
    if work.claim.attempts > JUDGEMENT.attempts:
        died = f"{work.claim.attempts - 1} workers ended in the middle of this request"
        return services.end(claimed=work.claim, status=Status.FAILED, problem=died)
    try:
        log = whole_log(work.row.session_id)
        transcript = work.row.batch.input.transcript(log)
        if not work.row.batch.input.empty_asked and crashed_without_conversation(log):
            return services.store_empty(claimed=work.claim, prompts=work.row.batch.input.prompts.edition)
        return _ask(work, transcript)
    except NoPlace as full:
        return services.postpone(claimed=work.claim, after_s=full.after_s)
    except ModelFailure as failure:
        return _store_failure(work, failure)
    except UNREADABLE as error:
        logger.exception("judgement %s can't be made", work.row.pk)
        problem = f"{type(error).__name__}: {error}"
        return services.end(claimed=work.claim, status=Status.FAILED, problem=problem, calls=_calls(work))


def _ask(work: Work, transcript: Transcript) -> None:
    model, batch = _model(work, transcript), work.row.batch
    if not work.row.rated:
        edition, setup = batch.input.prompts.edition, ModelSetup.model_validate(batch.judge_setup)
        key = services.request_key(judge_request(batch.input, transcript), setup, batch.rubric, edition)
        if services.reuse_ratings(claimed=work.claim, row=work.row, key=key, weight=transcript.weight):
            return None
        judged = Judge(model, batch.input, batch.criteria.dimensions).judge(transcript, tries=work.row.tries)
        return services.store_judged(
            claimed=work.claim, judged=judged, prompts=edition, key=key, calls=_calls(work)
        )
    judged = _stored_judgement(work.row, transcript)
    calibration = MetaJudge(model, batch.input).calibrate(transcript, judged)
    return services.store_calibration(
        claimed=work.claim, calibration=calibration, judged=judged, calls=_calls(work)
    )


def _stored_judgement(row: Judgement, transcript: Transcript) -> Judged:
    """What the judge said, as it is stored."""
    ratings = {name: Rating.of(stored) for name, stored in row.ratings.items()}
    return Judged(row.raw, ratings, complete=row.rated, weight=transcript.weight)


def _model(work: Work, transcript: Transcript) -> SeatModel:
    batch = work.row.batch
    kept, endpoint = (
        (batch.meta_setup, batch.meta_judge) if work.row.rated else (batch.judge_setup, batch.judge)
    )
    live = LiveModel(
        ModelSetup.model_validate(kept),
        endpoint,
        transcript.language,
        on_delta=lambda _piece: None,
        is_stopped=lambda: lease_keeper().is_unwanted(work.claim),
    )
    return SeatModel(work.seat, live, work.line)


def _store_failure(work: Work, failure: ModelFailure) -> None:
    """A request without an answer: made again after a while, or the end of the judgement."""
    if failure.kind == "cancelled":
        return _store_cancelled(work)
    attempt, made = work.row.unanswered + 1, work.line.take_calls()
    wait = _wait_s(work.row, failure, made[-1].setup) if made else None
    calls = [each.event(attempt, wait) for each in made]
    if wait is not None:
        return services.postpone(claimed=work.claim, after_s=wait, problem=str(failure), calls=calls)
    return services.end(claimed=work.claim, status=Status.FAILED, problem=str(failure), calls=calls)


def _wait_s(row: Judgement, failure: ModelFailure, setup: ModelSetup) -> float | None:
    """Seconds until the next attempt, None when there is none."""
    before = Failing()
    for call in row.calls[len(row.calls) - row.unanswered :]:
        before.take(call["outcome"], call["latency_ms"], call["retry_in_s"])
    return wait_s(failure, before, setup.patience_s, f"judgement {row.pk}")


def _store_cancelled(work: Work) -> None:
    """Broken off since somebody asked for that; or this worker ends, and another one asks again."""
    if to_be_cancelled([work.claim.job_id]):
        return services.end(claimed=work.claim, status=Status.STOPPED, calls=_calls(work))
    return services.postpone(claimed=work.claim, after_s=0.0)


def _calls(work: Work) -> list[ModelCalled]:
    return [each.event(work.row.unanswered + 1) for each in work.line.take_calls()]
