"""Everything that writes experiments: how they begin and end, and what was answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from pydantic import TypeAdapter

from benchmark.core.events import AnswerSource, Event, ModelCalled
from benchmark.models import ChatRequest, ModelFailure, ModelSetup, Reply, Usage
from benchmark.models.digest import digest
from benchmark.models.exchange import Failure
from webapp.accounts.models import User
from webapp.cassettes.forking import ForkAnswer, Players, fork
from webapp.cassettes.removals import refuse_changed
from webapp.endpoints.choice import usable
from webapp.endpoints.models import ModelEndpoint
from webapp.experiments.jobs import EXPERIMENT
from webapp.experiments.models import Experiment, ExperimentAnswer
from webapp.experiments.requests import kept_request
from webapp.forms import ChoiceRefused
from webapp.jobs import services as jobs
from webapp.jobs.kinds import retries
from webapp.jobs.models import Job, State
from webapp.jobs.services import Claim
from webapp.sessions.models import Session

EXPERIMENTER: Final = "experiment"
"""What requests to the model name in place of a seat."""
MOST_ANSWERS = 20
PATIENCE_S = 60.0
"""A failed request is made again for so long at most: somebody waits."""
REPLY, FAILURE = TypeAdapter(Reply), TypeAdapter(Failure)
Status = Experiment.Status


def setup_for(
    endpoint: ModelEndpoint, *, max_tokens: int | None = None, thinking: str = "", field: str = "endpoint"
) -> ModelSetup:
    """How an endpoint is asked in an experiment. max_tokens, thinking: None and "" for its own settings.

    The temperature is that of the request.

    Raises:
        ChoiceRefused: it is retired, or can't be used as it is stored.
    """
    setup = usable(endpoint, field)
    changed: dict[str, Any] = {"temperature": None, "patience_s": min(setup.patience_s, PATIENCE_S)}
    changed |= {"max_tokens": max_tokens} if max_tokens else {}
    changed |= {"thinking": thinking} if thinking else {}
    return ModelSetup.model_validate(setup.model_dump() | changed)


def start_experiment(
    *,
    session: Session,
    log: Sequence[Event],
    seq: int,
    endpoint: ModelEndpoint,
    setup: ModelSetup,
    request: ChatRequest,
    times: int,
    created_by: User | None = None,
) -> Experiment:
    """Ask an edited request `times` times; the workers begin at once.

    log: the session's, as the request was read from it. seq: the event of the call whose request was edited.

    Raises:
        ChoiceRefused: the number of times is out of bounds, or words are being removed from the session.
    """
    if not 1 <= times <= MOST_ANSWERS:
        words = _("Ask between 1 and %(most)s times.")
        raise ChoiceRefused(words % {"most": MOST_ANSWERS}, "times")
    with transaction.atomic():
        refuse_changed(session, log)
        experiment = Experiment.objects.create(
            session=session,
            seq=seq,
            endpoint=endpoint,
            model=endpoint.name,
            setup=setup.model_dump(mode="json"),
            request=kept_request(request),
            digest=digest(request, setup.model),
            created_by=created_by,
        )
        ExperimentAnswer.objects.bulk_create(
            ExperimentAnswer(experiment=experiment, number=number) for number in range(1, times + 1)
        )
        jobs.add_missing(kind=EXPERIMENT, subjects=[experiment.pk])
        transaction.on_commit(partial(jobs.hand_over, kind=EXPERIMENT, subject=experiment.pk))
    return experiment


@retries(EXPERIMENT)
def _go_on(job: Job) -> None:
    """Answers that are there stay."""
    with transaction.atomic():
        failed = Experiment.objects.filter(pk=job.subject, status=Status.FAILED)
        if failed.update(status=Status.QUEUED, problem="", ended_at=None):
            jobs.add_missing(kind=EXPERIMENT, subjects=[job.subject])
            transaction.on_commit(partial(jobs.hand_over, kind=EXPERIMENT, subject=job.subject))


def stop_experiment(*, experiment: Experiment) -> None:
    """End it; requests on their way are broken off, and answers that are there stay."""
    jobs.cancel(kind=EXPERIMENT, subject=experiment.pk)


def delete_experiment(*, experiment: Experiment) -> None:
    """Delete it with its answers. Sessions that were forked from an answer stay.

    Raises:
        ChoiceRefused: a worker is at it, or about to be.
    """
    with transaction.atomic():
        now = Experiment.objects.select_for_update(of=("self",)).filter(pk=experiment.pk).first()
        if now is None:
            return
        if now.going or jobs.open_jobs(EXPERIMENT).filter(subject=now.pk).exists():
            raise ChoiceRefused(_("A model is being asked at this moment. Stop the experiment first."))
        now.delete()


def fork_from_answer(
    *,
    experiment: Experiment,
    answer: ExperimentAnswer,
    players: Players,
    seat: str,
    pace: float | None = None,
    created_by: User | None = None,
    start: bool = True,
) -> Session:
    """A session that continues the experiment's one before the call, whose answer is this one.

    The answer goes to the participant of the seat as that of its model would. Its tokens are the experiment's, so the
    fork counts none for it.

    Raises:
        ChoiceRefused: there is no answer, or as `fork`.
    """
    if answer.reply is None:
        raise ChoiceRefused(_("This answer has not come, or failed; choose another one."))
    reply: Reply = REPLY.validate_python(answer.reply)
    note = f"answer {answer.number} of experiment {experiment.pk}, whose figures count it"
    stands = replace(reply, usage=Usage(0, 0), tokens=None).with_note(note)
    source = AnswerSource(
        seat=seat,
        experiment=experiment.pk,
        number=answer.number,
        call=experiment.seq,
        request=experiment.digest,
    )
    return fork(
        session=experiment.session,
        chosen=experiment.seq - 1,
        players=players,
        pace=pace,
        created_by=created_by,
        start=start,
        given=ForkAnswer(source, stands),
    )


# What a worker does.


def begin_experiment(*, claimed: Claim) -> Experiment:
    """The experiment of a job, which goes on from now.

    Raises:
        LeaseLost: another worker has the job.
        ValueError: its model was deleted.
    """
    with transaction.atomic():
        jobs.fence(claimed=claimed)
        Experiment.objects.filter(pk=claimed.subject).update(status=Status.RUNNING, problem="")
    experiment = Experiment.objects.select_related("endpoint", "session__task").get(pk=claimed.subject)
    if experiment.endpoint is None:
        raise ValueError(_("Its model “%(name)s” was deleted. Ask another one.") % {"name": experiment.model})
    return experiment


def store_answer(*, claimed: Claim, answer: ExperimentAnswer, outcome: Reply | ModelFailure) -> None:
    """Keep what a model answered, or why it did not. Raises LeaseLost."""
    kept: dict[str, Any] = {}
    if isinstance(outcome, Reply):
        kept["reply"] = REPLY.dump_python(outcome, mode="json")
    else:
        kept["failure"] = FAILURE.dump_python(Failure.of(outcome), mode="json")
    with transaction.atomic():
        jobs.fence(claimed=claimed)
        ExperimentAnswer.objects.filter(pk=answer.pk).update(**kept)


def add_call(*, answer: ExperimentAnswer, call: ModelCalled) -> None:
    """Keep a request, whoever has the job: it was made, and is paid."""
    with transaction.atomic():
        now = ExperimentAnswer.objects.select_for_update().filter(pk=answer.pk).only("calls").first()
        if now is not None:
            now.calls.append(call.model_dump(mode="json", exclude={"type"}))
            now.save(update_fields=["calls"])


def tell_progress(*, claimed: Claim, experiment: Experiment) -> None:
    """Keep how far it is."""
    rows = experiment.answers.all()
    jobs.progress(claimed=claimed, done=rows.exclude(reply=None, failure=None).count(), of=rows.count())


def finish_experiment(*, claimed: Claim) -> None:
    """All answers have come, or failed. Raises LeaseLost."""
    with transaction.atomic():
        jobs.fence(claimed=claimed)
        Experiment.objects.filter(pk=claimed.subject).update(status=Status.DONE, ended_at=timezone.now())


def end_experiment(subject: str, problem: str) -> None:
    """Say why it has come to no end: somebody stopped it, or it failed."""
    job = Job.objects.filter(kind=EXPERIMENT.name, subject=subject).order_by("-pk").first()
    is_stopped = job is not None and job.state == State.CANCELLED
    Experiment.objects.filter(pk=subject, status__in=[Status.QUEUED, Status.RUNNING]).update(
        status=Status.STOPPED if is_stopped else Status.FAILED,
        problem="" if is_stopped else problem,
        ended_at=timezone.now(),
    )
