"""Everything that writes repairs: how they begin and end, and what becomes of each session."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from benchmark.core.events import ModelCalled
from benchmark.repairing import DROPPED, PROMPTS, SessionRepair
from benchmark.repairing.loop import NO_ANSWER
from benchmark.suites import suite_named
from webapp.accounts.models import User
from webapp.endpoints.choice import usable
from webapp.endpoints.models import ModelEndpoint
from webapp.forms import ChoiceRefused
from webapp.jobs import services as jobs
from webapp.jobs.kinds import retries
from webapp.jobs.models import Job, State
from webapp.jobs.services import Claim
from webapp.repairs.jobs import REPAIR
from webapp.repairs.models import Repair, RepairedSession
from webapp.sessions.models import ENDED_STATUSES, Run

REPAIRER: Final = "repairer"
"""What requests to the model name in place of a seat."""
UNREADABLE: Final = "unreadable"
"""Why a session is dropped whose log can't be read."""
Status = Repair.Status


def can_repair(suite: str) -> bool:
    """Whether a benchmark says of a reply what is wrong with it."""
    make = suite_named(suite).training
    return make is not None and make().judge_reply is not None


def start_repair(*, run: Run, endpoint: ModelEndpoint, created_by: User | None = None) -> Repair:
    """Repair the sessions of a run that have ended; the workers begin at once.

    Raises:
        ChoiceRefused: the benchmark judges no replies, no session has ended, or the model can't be used.
    """
    if not can_repair(run.suite):
        words = _("%(title)s does not say of a reply what is wrong with it, so none can be repaired.")
        raise ChoiceRefused(words % {"title": suite_named(run.suite).title})
    usable(endpoint, "model")
    ended = run.sessions.filter(status__in=ENDED_STATUSES).order_by(
        "task__position", "task__task_id", "trial_id", "pk"
    )
    ids = list(ended.values_list("pk", flat=True))
    if not ids:
        raise ChoiceRefused(_("No session of this run has ended yet; wait for one, or stop the run."))
    with transaction.atomic():
        repair = Repair.objects.create(
            run=run,
            endpoint=endpoint,
            model=endpoint.name,
            prompts=PROMPTS.edition,
            code_version=suite_named(run.suite).scoring.code_version,
            created_by=created_by,
        )
        RepairedSession.objects.bulk_create(RepairedSession(repair=repair, session_id=pk) for pk in ids)
        _enqueue(repair)
    return repair


def continue_repair(*, repair: Repair) -> None:
    """Go on where it was; sessions to which the model gave no answer are asked about again.

    Raises:
        ChoiceRefused: its model was deleted or can't be used, or the rules have changed.
    """
    if repair.endpoint is None:
        raise ChoiceRefused(
            _("Its model “%(name)s” was deleted. Start another repair.") % {"name": repair.model}
        )
    usable(repair.endpoint, "model")
    if is_outdated(repair):
        raise ChoiceRefused(_("The rules have changed since this repair began. Start another one."))
    with transaction.atomic():
        idle = Repair.objects.filter(pk=repair.pk).exclude(status__in=[Status.QUEUED, Status.RUNNING])
        if not idle.update(status=Status.QUEUED, problem="", ended_at=None):
            return
        for row in repair.sessions.filter(outcome=DROPPED, reason=NO_ANSWER):
            row.answers = [answer for answer in row.answers if not answer["failure"]]
            row.outcome, row.reason, row.turns, row.words = "", "", [], {}
            row.save(update_fields=["answers", "outcome", "reason", "turns", "words"])
        repair.refresh_from_db()
        _enqueue(repair)


@retries(REPAIR)
def _repair_again(job: Job) -> None:
    repair = Repair.objects.select_related("run", "endpoint").filter(pk=job.subject).first()
    if repair is not None:
        continue_repair(repair=repair)


def is_outdated(repair: Repair) -> bool:
    """Whether other rules than today's have judged it."""
    return repair.code_version != suite_named(repair.run.suite).scoring.code_version


def _enqueue(repair: Repair) -> None:
    jobs.add_missing(kind=REPAIR, subjects=[repair.pk], group=f"model {repair.model}")
    transaction.on_commit(partial(jobs.hand_over, kind=REPAIR, subject=repair.pk))


def stop_repair(*, repair: Repair) -> None:
    """End it; whoever is at it leaves it within seconds. What is done stays, and can be gone on with."""
    jobs.cancel(kind=REPAIR, subject=repair.pk)


def delete_repair(*, repair: Repair) -> None:
    """Delete it with all that the model said.

    Raises:
        ChoiceRefused: a worker is at it, or about to be.
    """
    with transaction.atomic():
        now = Repair.objects.select_for_update().filter(pk=repair.pk).first()
        if now is None:
            return
        if now.going or jobs.open_jobs(REPAIR).filter(subject=now.pk).exists():
            raise ChoiceRefused(_("Somebody works on it at this moment. Stop it first."))
        now.delete()


# What a worker does.


def begin_repair(*, claimed: Claim) -> Repair:
    """The repair of a job, which goes on from now.

    Raises:
        LeaseLost: another worker has the job.
        ValueError: its model was deleted.
    """
    with transaction.atomic():
        jobs.fence(claimed=claimed)
        Repair.objects.filter(pk=claimed.subject).update(status=Status.RUNNING, problem="")
    repair = Repair.objects.select_related("endpoint", "run").get(pk=claimed.subject)
    if repair.endpoint is None:
        raise ValueError(f"there is no model “{repair.model}” any more; start another repair")
    return repair


def add_answer(*, claimed: Claim, row: RepairedSession, answer: Mapping[str, Any]) -> None:
    """Keep what the model said in a round. Raises LeaseLost."""
    with transaction.atomic():
        jobs.fence(claimed=claimed)
        row.answers.append(dict(answer))
        RepairedSession.objects.filter(pk=row.pk).update(answers=row.answers)


def add_call(*, row: RepairedSession, call: ModelCalled) -> None:
    """Keep a request, whoever has the job: it was made, and is paid."""
    with transaction.atomic():
        now = RepairedSession.objects.select_for_update().filter(pk=row.pk).only("calls").first()
        if now is not None:
            now.calls.append(call.model_dump(mode="json", exclude={"type"}))
            now.save(update_fields=["calls"])


def store_outcome(*, claimed: Claim, row: RepairedSession, made: SessionRepair, problem: str = "") -> None:
    """Keep what became of a session. Raises LeaseLost."""
    with transaction.atomic():
        jobs.fence(claimed=claimed)
        RepairedSession.objects.filter(pk=row.pk).update(
            outcome=made.outcome,
            reason=made.reason,
            problem=problem,
            turns=[turn.as_json() for turn in made.turns],
            words={str(number): words for number, words in made.words.items()},
            reward=made.reward,
        )


def tell_progress(*, claimed: Claim, repair: Repair) -> None:
    """Keep how far it is."""
    rows = repair.sessions.all()
    jobs.progress(claimed=claimed, done=rows.exclude(outcome="").count(), of=rows.count())


def finish_repair(*, claimed: Claim) -> None:
    """All sessions have come to their end. Raises LeaseLost."""
    with transaction.atomic():
        jobs.fence(claimed=claimed)
        Repair.objects.filter(pk=claimed.subject).update(status=Status.DONE, ended_at=timezone.now())


def end_repair(subject: str, problem: str) -> None:
    """Say why it has come to no end: somebody stopped it, or it failed."""
    job = Job.objects.filter(kind=REPAIR.name, subject=subject).order_by("-pk").first()
    is_stopped = job is not None and job.state == State.CANCELLED
    Repair.objects.filter(pk=subject, status__in=[Status.QUEUED, Status.RUNNING]).update(
        status=Status.STOPPED if is_stopped else Status.FAILED,
        problem="" if is_stopped else problem,
        ended_at=timezone.now(),
    )
