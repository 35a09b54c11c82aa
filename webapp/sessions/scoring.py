"""Scores of a session, its use of tools and models: readings of its log, stored beside it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from datetime import timedelta
from typing import Any

from django.db import Error, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.dispatch import Signal
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from benchmark.core.events import Event
from benchmark.core.model_use import model_use
from benchmark.core.tool_use import tool_use
from benchmark.metrics import values_of
from benchmark.suites import suite_named
from benchmark.suites.grouptravel.events import SessionOpened
from benchmark.suites.grouptravel.preferences.tables import descend
from benchmark.suites.grouptravel.scoring import CODE_VERSION, PROFILES, evidence_digest, scores_by_profile
from benchmark.suites.metrics import metrics_of
from webapp.catalogue.packs import catalogue_of
from webapp.jobs import services as jobs
from webapp.jobs.kinds import Kind, register
from webapp.jobs.services import Claim
from webapp.sessions.log import read_log, whole_log
from webapp.sessions.models import ENDED, MetricValue, Score, Session

log = logging.getLogger(__name__)

scored = Signal()
"""A session was scored: its id (`session_id`), `events`, `tool_use` and `scores` by profile, as they were stored.

It is sent in the transaction that stores them.
"""
AT_ONCE = 100
"""Outdated sessions that become jobs at a time."""
HEAD_START = timedelta(seconds=10)
"""Whoever ends a session scores it as well; the others leave it to that worker for so long."""
Keeping = Callable[[Claim], AbstractContextManager[object]]
"""What keeps the lease of a job while its block lasts."""
_READ = ("suite", "trial_id", "pack", "task__position", "task__definition")
_STORED = ("code_version", "tried", "digest", "figures", "scored_at")


def record_of(session: Session) -> dict[str, Any]:
    """The published run record of a session, finished or not."""
    return _record(session, whole_log(session.pk))


def _record(session: Session, events: Sequence[Event]) -> dict[str, Any]:
    return suite_named(session.suite).record(
        events, task_index=session.task.position, trial_id=session.trial_id
    )


def score_session(*, session: Session, keeping: Keeping = nullcontext) -> None:
    """Score a session by every profile, in place of earlier scores; store what it used as well.

    One that can't be scored (its log or its world's pack can't be read, or three workers ended while they scored it)
    keeps the scores it has, which go on naming the version that made them, or has empty ones; this version does not
    try it again. One that another worker is scoring is left to it. Raises what the database does.
    """
    _try(session, whole_log, keeping)


def scores_wanted(*, session_id: str) -> None:
    """A session has ended, and its scores are to be made; soon by another worker if this one dies now."""
    due_at = timezone.now() + HEAD_START
    jobs.add(kind=SCORE, subjects=[session_id], group=CODE_VERSION, due_at=due_at)


def _try(session: Session, read: Callable[[str], Sequence[Event]], keeping: Keeping) -> None:
    claimed = _begin(session.pk)
    if claimed is None:
        return None
    if claimed.attempts > SCORE.attempts:
        died = f"{SCORE.attempts} workers ended while they scored session {session.pk}"
        log.error("%s; it keeps what scores it has", died)
        return _give_up(session, claimed, died)
    try:
        with keeping(claimed):
            return _score(session, read(session.pk), claimed)
    except jobs.LeaseLost:
        log.info("another worker scores session %s", session.pk)
    except Error:  # the database is busy or away, which says nothing of this session
        with suppress(Error):
            jobs.release(claimed=claimed)
        raise
    except Exception as error:
        log.exception("session %s can't be scored; it keeps what scores it has", session.pk)
        _give_up(session, claimed, f"{type(error).__name__}: {error}")


def _begin(session_id: str) -> Claim | None:
    """Take the job of scoring a session now; None where another worker has it."""
    jobs.add_missing(kind=SCORE, subjects=[session_id], group=CODE_VERSION)
    mine = jobs.open_jobs(SCORE).filter(subject=session_id)
    mine.update(due_at=None)
    mine.exclude(group=CODE_VERSION).update(group=CODE_VERSION, attempts=0)
    return jobs.claim(kind=SCORE, subject=session_id)


def _score(session: Session, events: Sequence[Event], claimed: Claim) -> None:
    record = _record(session, events) | _background(session, events[0])
    scores = scores_by_profile(record, catalogue_of(session.pack))
    tools = {name: use.stored() for name, use in tool_use(events).items()}
    models = [use.stored() for use in model_use(events)]
    with transaction.atomic():
        if not jobs.finish(claimed=claimed):
            raise jobs.LeaseLost(session.pk)
        Session.objects.filter(pk=session.pk).update(tool_use=tools, model_use=models)
        _store(session, scores)
        scored.send(Session, session_id=session.pk, events=events, tool_use=tools, scores=scores)


def _background(session: Session, opening: Event) -> dict[str, Any]:
    """The young children of the task and the city of departure, which a published record does not name."""
    opened = opening.body
    companions = opened.companions if isinstance(opened, SessionOpened) else ()
    children = [{"user": child.name, "role": child.role} for child in companions]
    home = descend(session.task.definition, ("metadata", "departure_city"))
    return {"child_members": children, "departure_city": home}


def _store(session: Session, scores: Mapping[str, dict[str, Any]]) -> None:
    Score.objects.bulk_create(
        [_row(session.pk, profile, figures) for profile, figures in scores.items()],
        update_conflicts=True,
        unique_fields=["session", "profile"],
        update_fields=_STORED,
    )
    _store_values(session, scores)


def _store_values(session: Session, scores: Mapping[str, dict[str, Any]]) -> None:
    """What the rules gave, in place of what they gave before."""
    metrics = metrics_of(session.suite)
    found = {profile: values_of(metrics, figures) for profile, figures in scores.items()}
    rows = [
        MetricValue(session=session, profile=profile, key=key, value=value)
        for profile, values in found.items()
        for key, value in values.items()
    ]
    MetricValue.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["session", "profile", "rater", "key"],
        update_fields=["value"],
    )
    stored = MetricValue.objects.filter(session=session, rater="")
    for profile, values in found.items():
        stored.filter(profile=profile).exclude(key__in=values).delete()


def _row(session_id: str, profile: str, figures: dict[str, Any]) -> Score:
    return Score(
        session_id=session_id,
        profile=profile,
        code_version=CODE_VERSION,
        tried=CODE_VERSION,
        digest=evidence_digest(figures["evidence"]),
        figures=figures,
    )


def outdated() -> QuerySet[Session]:
    """Ended sessions that lack the scores of a profile, or whose scores another version of the code made."""
    tried = Score.objects.filter(session=OuterRef("pk"), tried=CODE_VERSION)
    lacking: Any = Q()
    for profile in PROFILES:
        lacking |= ~Exists(tried.filter(profile=profile))
    return Session.objects.filter(lacking, status__in=ENDED)


def find_outdated() -> int:
    """Have workers score some of the outdated sessions; how many there are, up to a bound."""
    found = list(outdated().values_list("pk", flat=True)[:AT_ONCE])
    jobs.add_missing(kind=SCORE, subjects=found, group=CODE_VERSION)
    return len(found)


SCORE = register(
    Kind(
        "score",
        _("Scores of a session"),
        link=lambda job: reverse("session", args=[job.subject]),
        attempts=3,
        find=find_outdated,
    )
)
"""The group of such a job is the version of the scoring code that its attempts are counted for."""


def _is_outdated(session_id: str) -> bool:
    """Whether `outdated` has this session; asked of one, without its nested queries."""
    tried = dict(Score.objects.filter(session=session_id).values_list("profile", "tried"))
    if all(tried.get(profile) == CODE_VERSION for profile in PROFILES):
        return False
    return Session.objects.filter(pk=session_id, status__in=ENDED).exists()


def rescore(*, session_id: str, keeping: Keeping = nullcontext) -> bool:
    """Bring an outdated session's scores up to date as `score_session` does; whether it was one."""
    if not _is_outdated(session_id):
        jobs.drop(kind=SCORE, subject=session_id)
        return False
    session = Session.objects.select_related("task").only(*_READ).get(pk=session_id)
    _try(session, _passing_log, keeping)
    return True


def _passing_log(session_id: str) -> list[Event]:
    """A log that is not kept: those that pages show would make room for it."""
    return list(read_log(session_id))


@transaction.atomic
def _give_up(session: Session, claimed: Claim, problem: str) -> None:
    if not jobs.fail(claimed=claimed, error=problem):
        return
    for profile in PROFILES:
        Score.objects.get_or_create(
            session=session, profile=profile, defaults={"code_version": "", "figures": {}}
        )
    Score.objects.filter(session=session).update(tried=CODE_VERSION)
