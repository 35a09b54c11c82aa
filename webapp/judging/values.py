"""The scores of judges as values of their metric, a row a session and rater."""

from __future__ import annotations

from collections.abc import Collection
from hashlib import sha256

from django.dispatch import Signal

from benchmark.judging import Pair
from webapp.judging.models import Judgement, Rater, Status
from webapp.judging.verdicts import pair_of
from webapp.people.personal import PersonalDataTable
from webapp.sessions.models import MetricValue, Run, Session

TEXTS = (
    *("ratings", "faults", "raw", "meta_reasoning", "meta_turns", "meta_unknown", "meta_faults", "meta_raw"),
    *("calls", "problem"),
)
"""The fields of a judgement that hold what models wrote."""
LONGEST = 200
"""The most characters of the stored name of a rater."""


def rater_of(pair: Pair, prompts: str) -> str:
    """The name of a judge in metric values: `wise (m) on published input, stern (n), prompts 1-0f3a9c21`."""
    return shorten_name(f"{pair.full_label}, {pair.meta_label}, prompts {prompts}")


def shorten_name(name: str) -> str:
    """The name or key of a rater, cut to what can be stored; a digest at its end keeps two long names apart."""
    if len(name) <= LONGEST:
        return name
    return f"{name[: LONGEST - 17]} {sha256(name.encode()).hexdigest()[:16]}"


def judge_of(judgement: Judgement) -> Rater:
    """The row of the rater that gave a verdict; it is made with the first verdict."""
    batch = judgement.batch
    key = rater_of(pair_of(batch), judgement.prompts)
    setup = {"judge": batch.judge_setup, **({"meta_judge": batch.meta_setup} if batch.calibrated else {})}
    given = {"kind": Rater.Kind.JUDGE, "name": key, "endpoint": batch.judge, "setup": setup}
    rater, _new = Rater.objects.get_or_create(key=key, defaults=given)
    return rater


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
    ratings_stored.send(Session, session_id=session_id)
