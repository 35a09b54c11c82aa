"""Reading experiments: those of a call, their answers, what they took."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from benchmark.core.events import ModelCalled
from benchmark.core.model_use import ModelUse
from benchmark.models import ChatRequest, ModelSetup, Reply
from benchmark.models.exchange import Failure
from webapp.cassettes.models import GivenAnswer
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.selectors import EndpointUse
from webapp.experiments.models import Experiment, ExperimentAnswer
from webapp.experiments.requests import request_of
from webapp.experiments.services import EXPERIMENTER, FAILURE, REPLY
from webapp.people.personal import PersonalDataTable
from webapp.sessions.models import Session


def experiments_of(session: Session, seq: int) -> QuerySet[Experiment]:
    """Those of a call, newest first; `count` answers were asked for, of which `answered` are there."""
    rows = Experiment.objects.filter(session=session, seq=seq).select_related("created_by")
    answered = Count("answers", filter=Q(answers__reply__isnull=False))
    return rows.defer("request", "setup").annotate(count=Count("answers"), answered=answered)


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of an experiment as it is read. call: the last request for it, None while there was none."""

    number: int
    reply: Reply | None
    failure: Failure | None
    call: ModelCalled | None

    @property
    def awaited(self) -> bool:
        """Whether nothing has come yet."""
        return self.reply is None and self.failure is None


def answers_of(experiment: Experiment) -> list[Answer]:
    """The answers, in the order of their numbers."""
    return [read_answer(row) for row in experiment.answers.all()]


def read_answer(row: ExperimentAnswer) -> Answer:
    """What a row holds."""
    calls = list(_calls([row.calls]))
    return Answer(
        row.number,
        None if row.reply is None else REPLY.validate_python(row.reply),
        None if row.failure is None else FAILURE.validate_python(row.failure),
        calls[-1] if calls else None,
    )


def request_in(experiment: Experiment) -> ChatRequest:
    """What was asked."""
    return request_of(experiment.request)


def setup_in(experiment: Experiment) -> ModelSetup:
    """How it was asked."""
    return ModelSetup.model_validate(experiment.setup)


def use_of(experiment: Experiment) -> ModelUse:
    """How the model was used, failed requests and all."""
    return _use(experiment.model, experiment.answers.order_by().values_list("calls", flat=True))


def _use(model: str, stored: Iterable[list[dict[str, object]]]) -> ModelUse:
    use = ModelUse(model, EXPERIMENTER)
    for call in _calls(stored):
        use.add_call(call)
    return use


def _calls(stored: Iterable[list[dict[str, object]]]) -> Iterator[ModelCalled]:
    return (ModelCalled.load(call, ModelCalled.version) for calls in stored for call in calls)


def forks_of(experiment: Experiment) -> dict[int, list[str]]:
    """The ids of the sessions that were forked from its answers, by the answer's number."""
    rows = GivenAnswer.objects.filter(experiment=experiment.pk, session__fork_of=experiment.session_id)
    forks: dict[int, list[str]] = {}
    for number, pk in rows.order_by("session__created_at").values_list("answer", "session"):
        forks.setdefault(number, []).append(pk)
    return forks


# What apps below ask of those above.


def used_models(endpoint: ModelEndpoint | None = None) -> dict[str, EndpointUse]:
    """How experiments used every endpoint, or one, by its name."""
    rows = ExperimentAnswer.objects.exclude(experiment__endpoint=None).order_by()
    if endpoint is not None:
        rows = rows.filter(experiment__endpoint=endpoint)
    models: dict[str, EndpointUse] = {}
    for name, calls in rows.values_list("experiment__model", "calls").iterator():
        if calls:
            models.setdefault(name, EndpointUse()).uses.append(_use(name, [calls]))
    return models


def personal_data_tables() -> list[PersonalDataTable]:
    """What models were asked and answered, which may quote what people said."""
    return [
        PersonalDataTable(Experiment, ("request", "problem")),
        PersonalDataTable(ExperimentAnswer, ("reply", "failure"), session="experiment__session"),
    ]


def being_asked(session_ids: Collection[str]) -> bool:
    """Whether a model is asked something of one of these sessions now, or is about to be."""
    going = [Experiment.Status.QUEUED, Experiment.Status.RUNNING]
    return Experiment.objects.filter(session__in=session_ids, status__in=going).exists()
