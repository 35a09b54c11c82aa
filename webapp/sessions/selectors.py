"""Reading sessions."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Avg, FilteredRelation, Prefetch, Q, QuerySet, Subquery

from benchmark.core.model_use import ModelUse
from benchmark.metrics import Metric
from benchmark.suites import SUITES, first_profile, metrics_of
from webapp.catalogue.models import Task
from webapp.catalogue.selectors import search
from webapp.endpoints.choice import agents
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.selectors import EndpointUse
from webapp.seats.models import Seat
from webapp.sessions.models import COUNTED_STATUSES, ENDED_STATUSES, MetricValue, Score, Session


def sessions(
    *,
    status: str = "",
    task_id: str = "",
    task: str = "",
    cache: str = "",
    endpoint: str = "",
) -> QuerySet[Session]:
    """Sessions with what a list shows, newest first; empty means everything. task: words of its trip or id.

    endpoint: the name of one that a seat speaks through; replays, which ask nobody, are left out then.
    """
    profiles = {first_profile(suite) for suite in SUITES}
    values = Prefetch("values", MetricValue.objects.filter(profile__in=profiles, rater=""))
    rows = Session.objects.select_related("task", "world", "cache", "agent_model", "user_model")
    rows = rows.prefetch_related(values, "seats__model").defer(
        *("task__definition", "world__report", "cache__counts", "tool_use", "model_use"),
        *("agent_model__findings", "user_model__findings"),
    )
    if status:
        rows = rows.filter(status=status)
    if task:
        rows = rows.filter(task__in=search(task, of_records=True))
    if cache:
        rows = rows.filter(cache__name=cache)
    if endpoint:
        rows = rows.filter(_at(model__name=endpoint), replay_of=None)
    if task_id:
        rows = rows.filter(task__task_id=task_id)
    return rows


class Order(NamedTuple):
    """A metric by which sessions can be ordered. suite: the first benchmark that has it; rater: "" for the rules."""

    suite: str
    metric: Metric
    rater: str = ""


def orders() -> dict[str, Order]:
    """What sessions can be ordered by: `gu` for a metric of the rules, `judge@NAME` for one that NAME gave."""
    session_orders: dict[str, Order] = {}
    rated = {
        (metric.key, profile)
        for suite in SUITES
        for metric in metrics_of(suite)
        if metric.source == "rater"
        for profile in ("", first_profile(suite))
    }
    raters = _raters(rated)
    for suite in SUITES:
        for metric in metrics_of(suite):
            if metric.source == "rater":
                for rater in (*raters[metric.key, ""], *raters[metric.key, first_profile(suite)]):
                    session_orders.setdefault(f"{metric.key}@{rater}", Order(suite, metric, rater))
            elif metric.scope != "run":
                session_orders.setdefault(metric.key, Order(suite, metric))
    return session_orders


RatedMetric = tuple[str, str]
"""A metric's key and a profile."""


def _raters(given: Collection[RatedMetric]) -> dict[RatedMetric, list[str]]:
    """Who gave values of each: a look into the index for every rater, however many values there are.

    All are looked for at once, so that there are as many queries as the most raters of one, and one more.
    """
    raters: dict[RatedMetric, list[str]] = {each: [] for each in given}
    left = list(raters)
    while left:
        sql, params = _looks(tuple((each, raters[each][-1] if raters[each] else "") for each in left))
        with connection.cursor() as cursor:
            cursor.execute(sql, params)
            row = cursor.fetchone() or ()
        following = {each: rater for each, rater in zip(left, row, strict=False) if rater}
        for each, rater in following.items():
            raters[each].append(rater)
        left = list(following)
    return raters


@lru_cache(maxsize=50)
def _looks(after: tuple[tuple[RatedMetric, str], ...]) -> tuple[str, tuple[Any, ...]]:
    """The statement that looks for the next raters: to write it takes longer than to run it."""
    looks = [_next_rater(each, rater) for each, rater in after]
    sql, params = MetricValue.objects.order_by().values_list(*looks)[:1].query.sql_with_params()
    return sql, tuple(params)


def _next_rater(given: RatedMetric, rater: str) -> Subquery:
    key, profile = given
    values = MetricValue.objects.filter(key=key, profile=profile, rater__gt=rater)
    return Subquery(values.order_by("rater").values("rater")[:1])


def used_models(endpoint: ModelEndpoint | None = None) -> dict[str, EndpointUse]:
    """How sessions used every endpoint, or one and those used with it. Replays asked nobody and are left out."""
    wanted = Session.objects.filter(replay_of=None, seats__model__isnull=False)
    if endpoint is not None:
        wanted = wanted.filter(_at(model=endpoint))
    models: dict[str, EndpointUse] = {}
    named = wanted.order_by().values_list("pk", "seats__model__name").distinct()
    for _pk, name in named:
        models.setdefault(name, EndpointUse()).sessions += 1
    for (stored,) in Session.objects.filter(pk__in=wanted.values("pk")).values_list("model_use"):
        for use in map(ModelUse.of, stored):
            models.setdefault(use.endpoint, EndpointUse()).uses.append(use)
    return models


def _at(**seat: Any) -> Q:
    """With such a seat."""
    return Q(pk__in=Seat.objects.filter(**seat).values("session"))


class Baseline(NamedTuple):
    """What a benchmark's first agent, which needs no model, got. sessions: how many were averaged."""

    agent: str
    sessions: int
    values: dict[str, float]


BASELINE_OF = 200
"""Sessions that a baseline is the average of at most: the newest ones."""


def baseline(suite: str, task: Task | None = None) -> Baseline:
    """The averages of the rules' metrics over the newest sessions of a benchmark's first agent, or on one task."""
    agent = next(iter(agents(suite)))
    played = Session.objects.filter(
        suite=suite, agent=agent, status__in=COUNTED_STATUSES, replay_of=None, fork_seq=None
    )
    if task is not None:
        played = played.filter(task=task)
    newest = list(played.order_by("-created_at").values_list("pk", flat=True)[:BASELINE_OF])
    rows = MetricValue.objects.filter(session__in=newest, profile=first_profile(suite), rater="").order_by()
    return Baseline(agent, len(newest), dict(rows.values_list("key").annotate(Avg("value"))))


def running() -> QuerySet[Session]:
    """Sessions that have not ended."""
    return sessions().exclude(status__in=ENDED_STATUSES)


def ended_sessions() -> QuerySet[Session]:
    """Sessions that have ended, the last one first."""
    return sessions().filter(status__in=ENDED_STATUSES)


def settled(*, session_id: str) -> bool:
    """Whether a session has ended and has its scores: nothing more happens to it."""
    return Session.objects.filter(pk=session_id, status__in=ENDED_STATUSES).exclude(scores=None).exists()


def at_rest(*, session_id: str) -> bool:
    """Whether a session was told to pause, and to nothing else."""
    return Session.objects.filter(pk=session_id, paused=True, stop_requested=False).exists()


def score_of(session: Session) -> Score | None:
    """The figures of the benchmark's first profile, None while there are none."""
    return session.scores.filter(profile=first_profile(session.suite)).first()


def values_in(score: Score | None) -> dict[str, float]:
    """The values of a score by the key of the metric; none of no score."""
    if score is None:
        return {}
    rows = MetricValue.objects.filter(session=score.session_id, profile=score.profile, rater="")
    return dict(rows.values_list("key", "value"))


def values_by_session(runs: Collection[str], profile: str) -> dict[str, dict[str, float]]:
    """The values of the rules of all sessions of some runs, by session and key."""
    rows = MetricValue.objects.filter(session__run__in=runs, profile=profile, rater="").order_by()
    values: dict[str, dict[str, float]] = {}
    for session, key, value in rows.values_list("session", "key", "value").iterator(chunk_size=5000):
        values.setdefault(session, {})[key] = value
    return values


def listed_values(session: Session) -> dict[str, float]:
    """The values of a session that a list reads, by the key of the metric."""
    profile = first_profile(session.suite)
    return {row.key: row.value for row in session.values.all() if row.profile == profile and not row.rater}


def scores_of(session: Session) -> dict[str, Score]:
    """The figures of every profile by its name."""
    return {score.profile: score for score in session.scores.all()}


def scored_sessions(wanted: Collection[str], name: str) -> QuerySet[Session]:
    """The sessions of some runs, by id, of which outcomes are; `score` is theirs under the profile of this name."""
    profile = Q(scores__profile=name)
    counted = Session.objects.filter(run__in=wanted, status__in=COUNTED_STATUSES, replay_of=None).order_by()
    return counted.annotate(score=FilteredRelation("scores", condition=profile)).filter(score__isnull=False)
