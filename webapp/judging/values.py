"""The scores of judges as values of their metric, a row a session and rater."""

from __future__ import annotations

from collections.abc import Collection
from hashlib import sha256

from django.dispatch import Signal

from benchmark.reports import Pair
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
"""Letters of a stored rater."""


def rater_of(pair: Pair, prompts: str) -> str:
    """A judge as values name it: `wise (m) on published input, stern (n), prompts 1-0f3a9c21`; a long one is cut."""
    return shorten_name(f"{pair.judge_label}, {pair.meta_label}, prompts {prompts}")


def shorten_name(name: str) -> str:
    """A rater's name or key as it can be stored; a long one is cut, and its digest tells it from others."""
    if len(name) <= LONGEST:
        return name
    return f"{name[: LONGEST - 17]} {sha256(name.encode()).hexdigest()[:16]}"


def judge_of(judgement: Judgement) -> Rater:
    """Who gave a verdict, as a rater beside people and other models; a new one with the first verdict."""
    batch = judgement.batch
    key = rater_of(pair_of(batch), judgement.prompts)
    setup = {"judge": batch.judge_setup, **({"meta_judge": batch.meta_setup} if batch.calibrated else {})}
    given = {"kind": Rater.Kind.JUDGE, "name": key, "endpoint": batch.judge, "setup": setup}
    found, _new = Rater.objects.get_or_create(key=key, defaults=given)
    return found


def scores_by(pair: Pair, runs: Collection[Run]) -> dict[str, float]:
    """S of every session of some runs that the pair gave one, by session: the mean over its verdicts."""
    raters = [rater_of(pair, prompts) for prompts in pair.prompts or ("",)]
    rows = MetricValue.objects.filter(session__run__in=runs, profile="", rater__in=raters).order_by()
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
    """The mean of each rater's verdicts on a session, in place of what is stored; within a transaction.

    The session's row is locked, since another verdict on it may be stored at the same time.
    """
    session = Session.objects.select_for_update().only("pk", "suite").get(pk=session_id)
    given: dict[tuple[str, str], list[float]] = {}
    rows = Judgement.objects.filter(session=session, score__isnull=False).order_by("pk")
    for row in rows.select_related("batch__judge", "batch__meta_judge"):
        key = row.batch.rubric.metric, judge_of(row).key or ""
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
