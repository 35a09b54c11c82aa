"""Reading judgements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from benchmark.conversation.events import ModelCalled
from benchmark.conversation.model_use import ModelUse
from benchmark.judging import DIMENSIONS
from benchmark.judging.stability import Spread, pooled, spread
from webapp.judging.models import JudgeBatch, Judgement, Status

JUDGE, META = "judge", "meta_judge"
"""The seats of judges in the calls of a judgement."""
IDS_AT_ONCE = 2_000
MOST_DUE = 500


@dataclass(frozen=True, slots=True)
class Verdict:
    """One judgement whose five ratings all count.

    judge, meta_judge: names of endpoints. repeat: from 1, counted over all judgements of the session by these two.
    ratings: 1 to 5 by dimension. meta, score (S, 0 to 100): None where the meta-judge gave nothing that counts.
    """

    judge: str
    meta_judge: str
    repeat: int
    ratings: dict[str, int]
    meta: int | None
    score: float | None


def verdicts_of(session_ids: Iterable[str]) -> dict[str, list[Verdict]]:
    """What judges said of these sessions, oldest first; sessions without a verdict are left out."""
    wanted = list(dict.fromkeys(session_ids))
    found: dict[str, list[Verdict]] = {}
    names = ("session_id", "batch__judge__name", "batch__meta_judge__name", "scores", "meta_score", "score")
    for begin in range(0, len(wanted), IDS_AT_ONCE):
        rated = Judgement.objects.filter(session__in=wanted[begin : begin + IDS_AT_ONCE], rated=True)
        for session, judge, meta_judge, *told in rated.order_by("pk").values_list(*names):
            own = found.setdefault(session, [])
            repeat = 1 + sum((one.judge, one.meta_judge) == (judge, meta_judge) for one in own)
            own.append(Verdict(judge, meta_judge, repeat, *told))
    return found


@dataclass(frozen=True, slots=True)
class Progress:
    """Judgements of a batch by status. asking: of the queued ones, those with a request on its way."""

    queued: int = 0
    judged: int = 0
    broken: int = 0
    failed: int = 0
    stopped: int = 0
    asking: int = 0

    @property
    def all(self) -> int:
        """All of them."""
        return self.queued + self.ended

    @property
    def ended(self) -> int:
        """Those to which nothing more happens."""
        return self.judged + self.unscored

    @property
    def unscored(self) -> int:
        """Those that ended without a score."""
        return self.broken + self.failed + self.stopped

    @property
    def going(self) -> bool:
        """Whether some are still to end."""
        return self.queued > 0


def progress(batches: Iterable[JudgeBatch]) -> dict[str, Progress]:
    """How far each batch is, by its id."""
    wanted = [batch.pk for batch in batches]
    found: dict[str, dict[str, int]] = {pk: {} for pk in wanted}
    rows = Judgement.objects.filter(batch__in=wanted).order_by().values("batch", "status")
    held = Count("pk", filter=Q(expires_at__gt=timezone.now()))
    for pk, status, count, asking in rows.annotate(n=Count("pk"), held=held).values_list(
        "batch", "status", "n", "held"
    ):
        found[pk][status] = count
        found[pk]["asking"] = found[pk].get("asking", 0) + asking
    return {pk: Progress(**counts) for pk, counts in found.items()}


def batches() -> QuerySet[JudgeBatch]:
    """Batches, newest first, with what a list shows."""
    found = JudgeBatch.objects.select_related("run", "judge", "meta_judge")
    return found.defer("judge__findings", "meta_judge__findings", "run__setup")


def judgements(batch: JudgeBatch) -> QuerySet[Judgement]:
    """The judgements of a batch with what its table shows."""
    found = batch.judgements.select_related("session__task").order_by(
        "session__created_at", "session", "repeat"
    )
    return found.defer("raw", "meta_raw", "ratings", "calls", "session__task__definition")


def due_in(batch: JudgeBatch) -> list[int]:
    """The judgements of a batch that a worker may take now: as many as its judge takes requests at once."""
    now = timezone.now()
    open_ = Judgement.objects.filter(batch=batch, status=Status.QUEUED)
    room = (
        max(batch.judge.concurrency, batch.meta_judge.concurrency) - open_.filter(expires_at__gt=now).count()
    )
    free = open_.filter(Q(expires_at=None) | Q(expires_at__lte=now), Q(due_at=None) | Q(due_at__lte=now))
    return list(free.order_by("-rated", "repeat", "pk").values_list("pk", flat=True)[: max(room, 0)])


def due_judgements() -> list[int]:
    """The judgements of all batches that a worker may take now."""
    going = JudgeBatch.objects.filter(judgements__status=Status.QUEUED).distinct().order_by("created_at")
    due = [pk for batch in going.select_related("judge", "meta_judge") for pk in due_in(batch)]
    return due[:MOST_DUE]


def is_going(batch: JudgeBatch) -> bool:
    """Whether judgements of a batch are still to end."""
    return batch.judgements.filter(status=Status.QUEUED).exists()


def batch_named(pk: str) -> JudgeBatch | None:
    """The batch of that id, with its judges."""
    return batches().filter(pk=pk).first()


def uses(calls: Iterable[dict[str, Any]]) -> dict[str, ModelUse]:
    """How the judge and the meta-judge were used, by seat, out of stored calls."""
    found: dict[str, ModelUse] = {}
    for stored in calls:
        call = ModelCalled.load(stored, ModelCalled.version)
        found.setdefault(call.seat, ModelUse(call.endpoint)).called(call)
    return {seat: found[seat] for seat in (JUDGE, META) if seat in found}


def uses_of(batch: JudgeBatch) -> dict[str, ModelUse]:
    """The same of a whole batch, failed requests and all."""
    stored = Judgement.objects.filter(batch=batch).values_list("calls", flat=True)
    return uses(call for calls in stored.iterator() for call in calls)


@dataclass(frozen=True, slots=True)
class Figures:
    """What judgements come to. dimensions: by name, 1 to 5; meta: 1 to 5; score: S. None where there is nothing."""

    dimensions: dict[str, Spread | None] = field(default_factory=dict)
    meta: Spread | None = None
    score: Spread | None = None


def figures_of(batch: JudgeBatch) -> Figures:
    """A batch's figures: means over sessions, and how far repeats of a session differ on average."""
    rated = Judgement.objects.filter(batch=batch, rated=True).order_by("session", "repeat")
    rows = rated.values_list("session_id", "scores", "meta_score", "score")
    groups = [list(own) for _, own in groupby(rows, key=lambda row: row[0])]
    return Figures(
        {name: pooled([row[1][name] for row in own] for own in groups) for name in DIMENSIONS},
        pooled(_given(row[2] for row in own) for own in groups),
        pooled(_given(row[3] for row in own) for own in groups),
    )


def spreads(verdicts: Sequence[Judgement]) -> Figures:
    """The figures of repeated judgements of one session."""
    rated = [one for one in verdicts if one.rated]
    return Figures(
        {name: spread([one.scores[name] for one in rated]) for name in DIMENSIONS},
        spread(_given(one.meta_score for one in rated)),
        spread(_given(one.score for one in rated)),
    )


def _given(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]


@dataclass(frozen=True, slots=True)
class Judged:
    """A session's judgements in one batch, in the order of repeats."""

    batch: JudgeBatch
    judgements: list[Judgement]

    @property
    def figures(self) -> Figures:
        """Mean and deviation over the repeats."""
        return spreads(self.judgements)

    @property
    def going(self) -> bool:
        """Whether some are still to end."""
        return any(one.status == Status.QUEUED for one in self.judgements)


def judged(session_id: str) -> Iterator[Judged]:
    """What judges were asked of a session, batch by batch, the newest first."""
    found = Judgement.objects.filter(session=session_id).select_related("batch__judge", "batch__meta_judge")
    rows = found.order_by("-batch__created_at", "batch", "repeat")
    for _, own in groupby(rows, key=lambda row: row.batch_id):
        listed = list(own)
        yield Judged(listed[0].batch, listed)


def newest_score(session_id: str) -> tuple[str, Spread] | None:
    """The judge's name and S of the newest batch that gave one, over its repeats; None without any."""
    scored = (
        Judgement.objects.filter(session=session_id)
        .exclude(score=None)
        .order_by("-batch__created_at", "batch")
    )
    rows = list(scored.values_list("batch", "batch__judge__name", "score"))
    own = [row for row in rows if row[0] == rows[0][0]]
    found = spread(_given(row[2] for row in own))
    return (own[0][1], found) if found else None
