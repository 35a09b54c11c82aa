"""Reading judgements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final

from django.db.models import Count, Q, QuerySet

from benchmark.core.events import ModelCalled
from benchmark.core.model_use import ModelUse, Role
from benchmark.judging import InputForm, Rubric
from benchmark.judging.stability import Spread, pool_spreads, spread
from benchmark.metrics import Metric
from benchmark.suites import SUITES, metrics_of, suite_named
from webapp.catalogue.models import Task
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.selectors import EndpointUse
from webapp.jobs import services as jobs
from webapp.jobs.rows import RowProgress, progress_of
from webapp.judging.jobs import JUDGEMENT
from webapp.judging.models import JudgeBatch, Judgement, Status
from webapp.sessions.models import COUNTED_STATUSES, Run, Session
from webapp.sessions.models import Status as SessionStatus
from webapp.sets.models import SessionSet

JUDGE: Final = "judge"
META: Final = "meta_judge"
"""The seats of judges in the calls of a judgement."""
VERDICT = Q(rated=True) | Q(status=Status.EMPTY)
"""Judgements that count for figures."""
_OF_FIGURES = ("session", "status", "rated", "scores", "meta_score", "score")


@dataclass(frozen=True, slots=True)
class Progress(RowProgress):
    """Judgements of a batch by status. empty: of sessions without a conversation, which count 0."""

    judged: int = 0
    empty: int = 0


def progress(batches: Iterable[JudgeBatch]) -> dict[str, Progress]:
    """How far each batch is, by its id."""
    wanted = [batch.pk for batch in batches]
    return progress_of(Progress, JUDGEMENT, Judgement.objects.all(), "batch", wanted)


def batches() -> QuerySet[JudgeBatch]:
    """Batches, newest first, with what a list shows."""
    rows = JudgeBatch.objects.select_related("run", "judge", "meta_judge")
    return rows.defer("judge__findings", "meta_judge__findings", "run__setup")


def judgements(batch: JudgeBatch) -> QuerySet[Judgement]:
    """The judgements of a batch with what its table shows."""
    rows = batch.judgements.select_related("session__task").order_by(
        "session__created_at", "session", "repeat"
    )
    return rows.defer("raw", "meta_raw", "ratings", "calls", "session__task__definition")


def due_in(batch: JudgeBatch) -> list[int]:
    """The judgements of a batch that a worker may take now: as many as its judge takes requests at once."""
    return [int(subject) for subject in jobs.due_in(kind=JUDGEMENT, group=batch.pk)]


def sessions_of_run(run: Run, rubric: str = "") -> list[Session]:
    """The sessions of a run that are judged by a rubric: those that its report counts."""
    sessions = list(Session.objects.filter(run=run, status__in=COUNTED_STATUSES).order_by("created_at", "pk"))
    by_rules = scored_by_rules(sessions, rubric)
    return [session for session in sessions if session.pk not in by_rules]


def sessions_of_set(chosen: SessionSet, rubric: str = "") -> list[Session]:
    """Those of a set that can be judged by a rubric."""
    rows = Session.objects.filter(sets=chosen, status__in=COUNTED_STATUSES)
    sessions = list(rows.order_by("created_at", "pk"))
    by_rules = scored_by_rules(sessions, rubric)
    return [session for session in sessions if session.pk not in by_rules]


def scored_by_rules(sessions: Iterable[Session], rubric: str = "") -> set[str]:
    """The ids of those over tasks that their benchmark's rules alone score, as far as a rubric goes."""
    asked_of = [
        (session, unrated) for session in sessions if (unrated := _unrated_filter(session.suite, rubric))
    ]
    tasks = Task.staged_too.filter(pk__in={session.task_id for session, _ in asked_of}).order_by()
    facets = dict(tasks.values_list("pk", "facets")) if asked_of else {}
    return {
        session.pk
        for session, unrated in asked_of
        if unrated.items() & facets.get(session.task_id, {}).items()
    }


def _unrated_filter(suite: str, rubric: str) -> Mapping[str, str]:
    try:
        return suite_named(suite).rating.rubric(rubric).unrated_facets
    except KeyError:
        return {}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The sessions of a run that are not judged. stopped: by a researcher; going: that have not ended; by_rules:
    whose tasks are scored by rules alone.
    """

    stopped: int
    going: int
    by_rules: int = 0


def left_out(run: Run, rubric: str = "") -> LeftOut:
    """How many sessions of a run are not judged by a rubric, and why."""
    others = Session.objects.filter(run=run).exclude(status__in=COUNTED_STATUSES)
    stopped = Count("pk", filter=Q(status=SessionStatus.STOPPED))
    counts = others.aggregate(stopped=stopped, every=Count("pk"))
    by_rules: set[str] = set()
    if _unrated_filter(run.suite, rubric):
        by_rules = scored_by_rules(
            Session.objects.filter(run=run, status__in=COUNTED_STATUSES).only("suite", "task"), rubric
        )
    return LeftOut(counts["stopped"], counts["every"] - counts["stopped"], len(by_rules))


def sessions_named(ids: Iterable[str]) -> list[Session]:
    """Those of these sessions that there are, in this order."""
    asked_for = list(dict.fromkeys(ids))
    sessions = Session.objects.in_bulk(asked_for)
    return [sessions[pk] for pk in asked_for if pk in sessions]


def forms_offered() -> dict[str, InputForm]:
    """What judges may be shown, by name, of the first benchmark that has an input of this name."""
    rubrics = [rubric for name in reversed(SUITES) for rubric in reversed(suite_named(name).rating.rubrics)]
    return {name: form for rubric in rubrics for name, form in rubric.forms.items()}


def rubrics_offered() -> dict[str, Metric]:
    """The rubrics that can be chosen by name, each with its metric, of benchmarks that have several."""
    several = [name for name in reversed(SUITES) if len(suite_named(name).rating.rubrics) > 1]
    return {
        rubric.name: metric_of(name, rubric)
        for name in several
        for rubric in suite_named(name).rating.rubrics
        if rubric.name
    }


def metric_of(suite: str, rubric: Rubric) -> Metric:
    """The metric that a rubric's score is a value of."""
    return next(metric for metric in metrics_of(suite) if metric.key == rubric.metric)


def is_going(batch: JudgeBatch) -> bool:
    """Whether judgements of a batch are still to end."""
    return batch.judgements.filter(status=Status.QUEUED).exists()


def batch_named(pk: str) -> JudgeBatch | None:
    """The batch of that id, with its judges."""
    return batches().filter(pk=pk).first()


def uses_of(batch: JudgeBatch) -> list[ModelUse]:
    """How the judge and the meta-judge of a batch were used, failed requests and all; `role` is the seat."""
    stored = Judgement.objects.filter(batch=batch).values_list("calls", flat=True)
    return _uses(_calls(stored.iterator()))


def _calls(stored: Iterable[list[dict[str, Any]]]) -> Iterator[ModelCalled]:
    return (ModelCalled.load(call, ModelCalled.version) for calls in stored for call in calls)


def _uses(calls: Iterable[ModelCalled]) -> list[ModelUse]:
    uses: dict[tuple[Role, str], ModelUse] = {}
    for call in calls:
        seat: Role = META if call.seat == META else JUDGE
        uses.setdefault((seat, call.endpoint), ModelUse(call.endpoint, seat)).add_call(call)
    return [uses[key] for key in sorted(uses)]


def used_models(endpoint: ModelEndpoint | None = None) -> dict[str, EndpointUse]:
    """How judging used every endpoint, or one and those that it judged with, by the endpoint's name."""
    wanted = Judgement.objects.order_by()
    if endpoint is not None:
        wanted = wanted.filter(Q(batch__judge=endpoint) | Q(batch__meta_judge=endpoint))
    models: dict[str, EndpointUse] = {}
    named = wanted.values("batch__judge__name", "batch__meta_judge__name").annotate(n=Count("pk"))
    for judge, meta_judge, count in named.values_list("batch__judge__name", "batch__meta_judge__name", "n"):
        for name in {judge, meta_judge}:
            models.setdefault(name, EndpointUse()).judgements += count
    for use in _uses(_calls(wanted.values_list("calls", flat=True).iterator())):
        models.setdefault(use.endpoint, EndpointUse()).uses.append(use)
    return models


@dataclass(frozen=True, slots=True)
class Figures:
    """What judgements come to. dimensions: by name, each on its scale; meta: 1 to 5; score: S. None where there is
    nothing.

    rated: judgements that rate every dimension, which count for the dimensions. scored: those of them with the
    meta-judge's score as well, if one is asked, which count for `meta` and `score`. empty: of sessions that crashed
    without a conversation, which count 0 in `score`.
    """

    rated: int = 0
    scored: int = 0
    empty: int = 0
    dimensions: dict[str, Spread | None] = field(default_factory=dict)
    meta: Spread | None = None
    score: Spread | None = None


def figures_of(batch: JudgeBatch) -> Figures:
    """A batch's figures: means over sessions, and how far repeats of a session differ on average."""
    counted = Judgement.objects.filter(batch=batch).filter(VERDICT).order_by("session_id", "repeat")
    groups = [list(own) for _, own in groupby(counted.only(*_OF_FIGURES), key=lambda row: row.session_id)]
    return _figures(batch.criteria, groups, pool_spreads)


def spreads(rubric: Rubric, verdicts: Sequence[Judgement]) -> Figures:
    """The figures of repeated judgements of one session."""
    return _figures(rubric, [verdicts], lambda values: spread(next(iter(values))))


def _figures(
    rubric: Rubric,
    groups: Sequence[Sequence[Judgement]],
    over: Callable[[Iterable[Sequence[float]]], Spread | None],
) -> Figures:
    """groups: the judgements of each session; over: how their values are put together."""
    rated = [[judgement for judgement in own if judgement.rated] for own in groups]
    return Figures(
        sum(map(len, rated)),
        sum(len(_drop_missing(judgement.score for judgement in own)) for own in rated),
        sum(judgement.status == Status.EMPTY for own in groups for judgement in own),
        {
            name: over(_drop_missing(judgement.scores.get(name) for judgement in own) for own in rated)
            for name in rubric.names
        },
        over(_drop_missing(judgement.meta_score for judgement in own) for own in rated),
        over(_drop_missing(judgement.score for judgement in own) for own in groups),
    )


def _drop_missing(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]


@dataclass(frozen=True, slots=True)
class SessionJudgements:
    """A session's judgements in one batch, in the order of repeats."""

    batch: JudgeBatch
    judgements: list[Judgement]

    @property
    def figures(self) -> Figures:
        """Mean and deviation over the repeats."""
        return spreads(self.batch.criteria, self.judgements)

    @property
    def going(self) -> bool:
        """Whether some are still to end."""
        return any(judgement.status == Status.QUEUED for judgement in self.judgements)


def judgements_of(session_id: str) -> Iterator[SessionJudgements]:
    """What judges were asked of a session, batch by batch, the newest first."""
    judgements = Judgement.objects.filter(session=session_id).select_related(
        "batch__judge", "batch__meta_judge"
    )
    rows = judgements.order_by("-batch__created_at", "batch", "repeat")
    for _, own in groupby(rows, key=lambda row: row.batch_id):
        listed = list(own)
        yield SessionJudgements(listed[0].batch, listed)
