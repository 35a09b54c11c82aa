"""The scores of judges as values of their metric, a row a session and rater."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.dispatch import Signal

from benchmark.judging import Pair
from webapp.judging.joint_values import store_joint_values
from webapp.judging.models import Judgement, Status
from webapp.judging.raters import judge_of, rater_of
from webapp.people.personal import PersonalDataTable
from webapp.sessions.models import MetricValue, Run, Session

TEXTS = (
    *("ratings", "faults", "raw", "meta_reasoning", "meta_turns", "meta_unknown", "meta_faults", "meta_raw"),
    *("calls", "problem"),
)
"""The fields of a judgement that hold what models wrote."""


def scores_by(pair: Pair, metric: str, runs: Collection[Run]) -> dict[str, float]:
    """S (0 to 100) by session, for the sessions that this pair of judges scored: the mean of its verdicts."""
    raters = [rater_of(pair, prompts) for prompts in pair.prompts or ("",)]
    rows = MetricValue.objects.filter(
        session__run__in=runs, profile="", rater__in=raters, key=metric
    ).order_by()
    return dict(rows.values_list("session", "value"))


def personal_data_table() -> PersonalDataTable:
    """What judges wrote, which may quote what people said."""
    return PersonalDataTable(Judgement, TEXTS)


def being_judged(session_ids: Collection[str]) -> bool:
    """Whether a judge reads one of these sessions now, or is about to."""
    return Judgement.objects.filter(session__in=session_ids, status=Status.QUEUED).exists()


ratings_stored = Signal()
"""Raters' values of a session were stored: `session_id`. It is sent in the transaction that stores them."""


def store_scores(session_id: str) -> None:
    """Store the mean of each rater's verdicts on a session, in place of the old one. Call it within a transaction.

    The session's row is locked, since another verdict on it may be stored at the same time.
    """
    session = Session.objects.select_for_update().only("pk", "suite").get(pk=session_id)
    given: dict[tuple[str, str], list[float]] = {}
    rows = Judgement.objects.filter(session=session, score__isnull=False).order_by("pk")
    for row in rows.select_related("batch__judge", "batch__meta_judge"):
        key = row.batch.criteria.metric, judge_of(row).key or ""
        given.setdefault(key, []).append(row.score or 0.0)
    values = [
        MetricValue(session=session, profile="", rater=rater, key=key, value=sum(scores) / len(scores))
        for (key, rater), scores in given.items()
    ]
    MetricValue.objects.bulk_create(
        values,
        update_conflicts=True,
        unique_fields=["session", "profile", "rater", "key"],
        update_fields=["value"],
    )
    store_joint_values(session)
    ratings_stored.send(Session, session_id=session_id)


@transaction.atomic
def join_scored(*, session_id: str, **_sent: Any) -> None:
    """Store what a benchmark makes of ratings and figures, when a session was scored again."""
    if store_joint_values(Session.objects.select_for_update().only("pk", "suite").get(pk=session_id)):
        ratings_stored.send(Session, session_id=session_id)
