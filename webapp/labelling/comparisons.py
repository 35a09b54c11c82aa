"""Reading what models were asked about the pairs of studies: how far it is, and what it costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q

from benchmark.core.events import ModelCalled
from benchmark.core.model_use import ModelUse
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.selectors import EndpointUse
from webapp.jobs.rows import RowProgress, progress_of
from webapp.labelling.jobs import COMPARISON_KIND
from webapp.labelling.models import Compared, Comparison, Label, LabelStudy
from webapp.labelling.wording import problem_words
from webapp.people.personal import PersonalDataTable

Status = Compared.Status


@dataclass(frozen=True, slots=True)
class Progress(RowProgress):
    """Items of a comparison by status."""

    answered: int = 0


@dataclass(frozen=True, slots=True)
class ShownComparison:
    """A comparison as a page shows it. problems: of those without an answer, and how often each."""

    comparison: Comparison
    progress: Progress
    use: ModelUse
    problems: list[tuple[str, int]]


MOST_PROBLEMS = 5


def comparisons(study: LabelStudy) -> list[ShownComparison]:
    """Those of a study, newest first."""
    rows = list(study.comparisons.select_related("rater__endpoint"))
    how_far = progress(rows)
    return [ShownComparison(row, how_far[row.pk], use_of(row), problems(row)) for row in rows]


def progress(comparisons_asked: Iterable[Comparison]) -> dict[str, Progress]:
    """How far each comparison is, by its id."""
    wanted = [comparison.pk for comparison in comparisons_asked]
    return progress_of(Progress, COMPARISON_KIND, Compared.objects.all(), "comparison", wanted)


def use_of(comparison: Comparison) -> ModelUse:
    """How the model was used, failed requests and all."""
    stored = comparison.compared.order_by().values_list("calls", flat=True)
    endpoint = comparison.rater.endpoint
    use = ModelUse(endpoint.name if endpoint else "", "judge")
    for call in _calls(stored.iterator()):
        use.add_call(call)
    return use


def problems(comparison: Comparison) -> list[tuple[str, int]]:
    """Why items have no answer, the most frequent first."""
    rows = comparison.compared.exclude(problem="").order_by().values_list("problem", flat=True)
    return Counter(map(problem_words, rows.iterator())).most_common(MOST_PROBLEMS)


def used_models(endpoint: ModelEndpoint | None = None) -> dict[str, EndpointUse]:
    """How comparisons used every endpoint, or one, by its name; each pair is a judgement."""
    wanted = Compared.objects.exclude(comparison__rater__endpoint=None).order_by()
    if endpoint is not None:
        wanted = wanted.filter(comparison__rater__endpoint=endpoint)
    models: dict[str, EndpointUse] = {}
    named = wanted.values("comparison__rater__endpoint__name").annotate(n=Count("pk"))
    for name, count in named.values_list("comparison__rater__endpoint__name", "n"):
        models[name] = EndpointUse(judgements=count)
    uses: dict[str, ModelUse] = {}
    for call in _calls(wanted.values_list("calls", flat=True).iterator()):
        uses.setdefault(call.endpoint, ModelUse(call.endpoint, "judge")).add_call(call)
    for name, use in uses.items():
        models.setdefault(name, EndpointUse()).uses.append(use)
    return models


def _calls(stored: Iterable[list[dict[str, Any]]]) -> Iterator[ModelCalled]:
    return (ModelCalled.load(call, ModelCalled.version) for calls in stored for call in calls)


def personal_data_tables() -> list[PersonalDataTable]:
    """What models wrote of plans, which may quote what people said."""
    own = {"source": Label.Source.MODEL}
    sides = ("item__left", "item__right")
    return [
        *(PersonalDataTable(Compared, ("raw", "calls", "problem"), session=side) for side in sides),
        *(PersonalDataTable(Label, ("rationale",), session=side, only=own) for side in sides),
    ]


def being_compared(session_ids: Collection[str]) -> bool:
    """Whether a model reads one of these sessions now, or is about to."""
    of_these = Q(item__left__in=session_ids) | Q(item__right__in=session_ids)
    return Compared.objects.filter(of_these, status=Status.QUEUED).exists()
