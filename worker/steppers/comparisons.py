"""Stepping a comparison: claim a pair, ask the model once, store what came of it, give it back."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from benchmark.core.events import ModelCalled
from benchmark.core.line import Line, SeatModel
from benchmark.judging import Fault
from benchmark.judging.room import refuse_overlong
from benchmark.labelling.comparing import (
    Outcome,
    PlanChoice,
    PlanPoints,
    Questions,
    by_order,
    by_orders,
    by_points,
    pair_request,
    read_choice,
    read_points,
    single_request,
)
from benchmark.models import ChatRequest, ModelFailure, ModelSetup, Reply
from benchmark.models.patience import Failing, wait_s
from benchmark.suites import suite_named
from sandbox.tools.language import Language
from webapp.endpoints.slots import NoPlace
from webapp.jobs.services import Claim, LeaseLost, due_in, gone, hand_over, to_be_cancelled
from webapp.judging.models import Rater
from webapp.labelling import comparing
from webapp.labelling.cases import NothingToCompare, shown_cases
from webapp.labelling.jobs import COMPARISON_KIND
from webapp.labelling.models import Compared
from worker.lease_keeper import lease_keeper
from worker.model_calls.live import LiveModel

SEAT = "rater"
UNREADABLE = (KeyError, ValueError, TypeError, AssertionError)
Status = Compared.Status
Read = TypeVar("Read", PlanPoints, PlanChoice)
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Work:
    """A claimed pair at work in this thread. line: what was asked in this step."""

    row: Compared
    claim: Claim
    line: Line

    @property
    def rater(self) -> Rater:
        return self.row.comparison.rater

    @property
    def questions(self) -> Questions:
        return suite_named(self.row.item.study.suite).rating.questions


def advance_comparison(compared_id: int) -> bool:
    """One step of a pair: at most one request to a model. What remains is enqueued.

    Returns whether this call worked on it at all: not when somebody else holds it, when it has ended or is not due.
    """
    claimed = comparing.claim(compared_id=compared_id)
    if claimed is None:
        return False
    rows = Compared.objects.select_related(
        "comparison__rater__endpoint", "item__study", "item__left", "item__right"
    )
    if (row := rows.filter(pk=compared_id).first()) is None:
        return gone(claimed=claimed)
    work = Work(row, claimed, Line())
    try:
        with lease_keeper().keep_lease(claimed):
            _step(work)
    except LeaseLost:
        logger.info("comparison of %s went to another worker, or was stopped", compared_id)
    for subject in due_in(kind=COMPARISON_KIND, group=work.row.comparison_id)[:1]:
        hand_over(kind=COMPARISON_KIND, subject=subject)
    return True


def _step(work: Work) -> None:
    """Whatever goes wrong is an end of this pair, and of no other."""
    if work.claim.cancelled or work.row.comparison.stop_requested or work.row.item.withdrawn_at:
        return comparing.end(claimed=work.claim, status=Status.STOPPED)
    if work.claim.attempts > COMPARISON_KIND.attempts:
        died = f"{work.claim.attempts - 1} workers ended in the middle of this request"
        return comparing.end(claimed=work.claim, status=Status.FAILED, problem=died)
    try:
        if work.rater.kind == Rater.Kind.POINTWISE:
            return _ask_for_points(work)
        return _ask_in_order(work)
    except NoPlace as full:
        return comparing.postpone(claimed=work.claim, after_s=full.after_s)
    except ModelFailure as failure:
        return _store_failure(work, failure)
    except NothingToCompare as nothing:
        return comparing.end(claimed=work.claim, status=Status.FAILED, problem=str(nothing))
    except UNREADABLE as error:
        logger.exception("comparison of %s can't be made", work.row.pk)
        problem = f"{type(error).__name__}: {error}"
        return comparing.end(claimed=work.claim, status=Status.FAILED, problem=problem, calls=_calls(work))


def _ask_for_points(work: Work) -> None:
    """Ask for the points of the plan that has none yet; of both, store the label."""
    before = _readable_answers(work, read_points, lambda read: read.points is not None)
    left, right = shown_cases(work.row.item)
    case = right if before else left
    reply = _ask(work, single_request(case, work.questions), case.language)
    read = read_points(reply.text, cut_off=_cut_off(reply))
    if read.points is None:
        return _store_unusable(work, [*(raw for raw, _ in before), reply.text], read.faults)
    return _store_usable(work, [*before, (reply.text, read)], _by_points)


def _by_points(left: PlanPoints, right: PlanPoints) -> Outcome:
    assert left.points is not None and right.points is not None
    return by_points(left.points, right.points)


def _ask_in_order(work: Work) -> None:
    """Ask in the given order, then in the swapped one where both are asked; of all, store the label."""
    before = _readable_answers(work, read_choice, lambda read: bool(read.choice))
    left, right = shown_cases(work.row.item)
    first, second = (right, left) if before else (left, right)
    request = pair_request(first, second, work.questions)
    reply = _ask(work, request, left.language)
    read = read_choice(reply.text, cut_off=_cut_off(reply))
    if not read.choice:
        return _store_unusable(work, [*(raw for raw, _ in before), reply.text], read.faults)
    return _store_usable(work, [*before, (reply.text, read)], _by_choices)


def _by_choices(*choices: PlanChoice) -> Outcome:
    return by_orders(*choices) if len(choices) > 1 else by_order(*choices)


def _readable_answers(
    work: Work, read: Callable[[str], Read], usable: Callable[[Read], bool]
) -> list[tuple[str, Read]]:
    """The stored answers that can be read, from the first; they are kept when others are asked for again."""
    answers: list[tuple[str, Read]] = []
    for text in work.row.raw:
        if not usable(answer := read(text)):
            break
        answers.append((text, answer))
    return answers[: work.row.comparison.requests - 1]


def _store_usable(work: Work, answers: Sequence[tuple[str, Read]], outcome: Callable[..., Outcome]) -> None:
    raw, calls = [text for text, _ in answers], _calls(work)
    if len(answers) < work.row.comparison.requests:
        return comparing.store_answer(claimed=work.claim, raw=raw, calls=calls)
    said = [read for _, read in answers]
    reasons = "\n".join(filter(None, (read.reasons for read in said)))
    comparing.store_outcome(claimed=work.claim, outcome=outcome(*said), reasons=reasons, raw=raw, calls=calls)
    return None


def _store_unusable(work: Work, raw: Sequence[str], faults: Sequence[Fault]) -> None:
    problem = "; ".join(f"{fault.kind} ({fault.detail})" if fault.detail else fault.kind for fault in faults)
    comparing.store_unusable(claimed=work.claim, raw=raw, problem=problem, calls=_calls(work))


def _ask(work: Work, request: ChatRequest, language: Language) -> Reply:
    endpoint = work.rater.endpoint
    assert endpoint is not None
    live = LiveModel(
        ModelSetup.model_validate(work.rater.setup),
        endpoint,
        language,
        on_delta=lambda _piece: None,
        is_stopped=lambda: lease_keeper().is_unwanted(work.claim),
    )
    refuse_overlong(request, live.setup)
    return SeatModel(SEAT, live, work.line).ask(request)


def _cut_off(reply: Reply) -> bool:
    return reply.finish_reason == "length"


def _store_failure(work: Work, failure: ModelFailure) -> None:
    """A request without an answer: made again after a while, or the end of the pair."""
    if failure.kind == "cancelled":
        return _store_cancelled(work)
    attempt, made = _failed_attempts(work.row) + 1, work.line.take_calls()
    wait = _wait_s(work.row, failure, made[-1].setup) if made else None
    calls = [each.event(attempt, wait) for each in made]
    if wait is not None:
        return comparing.postpone(claimed=work.claim, after_s=wait, problem=str(failure), calls=calls)
    return comparing.end(claimed=work.claim, status=Status.FAILED, problem=str(failure), calls=calls)


def _failed_attempts(row: Compared) -> int:
    """Failed attempts at the answer that is awaited: the last calls up to one that ended it, or was answered."""
    count = 0
    for call in reversed(row.calls):
        if call["outcome"] == "answered" or call["retry_in_s"] is None:
            break
        count += 1
    return count


def _wait_s(row: Compared, failure: ModelFailure, setup: ModelSetup) -> float | None:
    """Seconds until the next attempt, None when there is none."""
    before = Failing()
    for call in row.calls[len(row.calls) - _failed_attempts(row) :]:
        before.take(call["outcome"], call["latency_ms"], call["retry_in_s"])
    return wait_s(failure, before, setup.patience_s, f"comparison {row.pk}")


def _store_cancelled(work: Work) -> None:
    """Broken off since somebody asked for that; or this worker ends, and another one asks again."""
    if to_be_cancelled([work.claim.job_id]):
        return comparing.end(claimed=work.claim, status=Status.STOPPED, calls=_calls(work))
    return comparing.postpone(claimed=work.claim, after_s=0.0)


def _calls(work: Work) -> list[ModelCalled]:
    return [each.event(_failed_attempts(work.row) + 1) for each in work.line.take_calls()]
