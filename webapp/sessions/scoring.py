"""Scores of a session, its use of tools and models: readings of its log, stored beside it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any

from django.db import Error, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.dispatch import Signal
from django.utils import timezone

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
from webapp.sessions.log import read_log, whole_log
from webapp.sessions.models import ENDED, MetricValue, Score, ScoringTry, Session

log = logging.getLogger(__name__)

scored = Signal()
"""A session was scored: its id (`session_id`), `events`, `tool_use` and `scores` by profile, as they were stored.

It is sent in the transaction that stores them.
"""
TRIES = 3
"""Scorings of a session that a version begins; if none of them ends, its workers died of it."""
HELD = timedelta(seconds=30)
"""After this a scoring that has not ended may be begun by another worker."""
_READ = ("suite", "trial_id", "pack", "task__position", "task__definition")
_STORED = ("code_version", "tried", "digest", "figures", "scored_at")


def record_of(session: Session) -> dict[str, Any]:
    """The published run record of a session, finished or not."""
    return _record(session, whole_log(session.pk))


def _record(session: Session, events: Sequence[Event]) -> dict[str, Any]:
    return suite_named(session.suite).record(
        events, task_index=session.task.position, trial_id=session.trial_id
    )


def score_session(*, session: Session) -> None:
    """Score a session by every profile, in place of earlier scores; store what it used as well.

    One that can't be scored (its log or its world's pack can't be read, or three workers ended while they scored it)
    keeps the scores it has, which go on naming the version that made them, or has empty ones; this version does not
    try it again. One that another worker is scoring is left to it. Raises what the database does.
    """
    _try(session, whole_log)


def _try(session: Session, read: Callable[[str], Sequence[Event]]) -> None:
    tries = _begin(session.pk)
    if tries is None:
        return
    if tries > TRIES:
        log.error(
            "%d workers ended while they scored session %s; it keeps what scores it has", TRIES, session.pk
        )
        _give_up(session)
        return
    try:
        _score(session, read(session.pk))
    except Error:  # the database is busy or away, which says nothing of this session
        with suppress(Error):
            ScoringTry.objects.filter(pk=session.pk).update(tries=F("tries") - 1, expires_at=timezone.now())
        raise
    except Exception:
        log.exception("session %s can't be scored; it keeps what scores it has", session.pk)
        _give_up(session)


def _begin(session_id: str) -> int | None:
    """Note, for good, that a scoring begins: which of this version's it is, None where another one is on its way."""
    now = timezone.now()
    noted: dict[str, Any] = {"code_version": CODE_VERSION, "tries": 1, "expires_at": now + HELD}
    last, first = ScoringTry.objects.get_or_create(pk=session_id, defaults=noted)
    if first:
        return 1
    if last.code_version == CODE_VERSION:
        noted["tries"] = last.tries + 1
    over = ScoringTry.objects.filter(pk=session_id, expires_at=last.expires_at, expires_at__lte=now)
    return noted["tries"] if over.update(**noted) else None


def _score(session: Session, events: Sequence[Event]) -> None:
    record = _record(session, events) | _background(session, events[0])
    scores = scores_by_profile(record, catalogue_of(session.pack))
    tools = {name: use.stored() for name, use in tool_use(events).items()}
    models = [use.stored() for use in model_use(events)]
    with transaction.atomic():
        Session.objects.filter(pk=session.pk).update(tool_use=tools, model_use=models)
        _store(session.pk, scores)
        ScoringTry.objects.filter(pk=session.pk).delete()
        scored.send(Session, session_id=session.pk, events=events, tool_use=tools, scores=scores)


def _background(session: Session, opening: Event) -> dict[str, Any]:
    """The young children of the task and the city of departure, which a published record does not name."""
    opened = opening.body
    companions = opened.companions if isinstance(opened, SessionOpened) else ()
    children = [{"user": child.name, "role": child.role} for child in companions]
    home = descend(session.task.definition, ("metadata", "departure_city"))
    return {"child_members": children, "departure_city": home}


def _store(session_id: str, scores: Mapping[str, dict[str, Any]]) -> None:
    Score.objects.bulk_create(
        [_row(session_id, profile, figures) for profile, figures in scores.items()],
        update_conflicts=True,
        unique_fields=["session", "profile"],
        update_fields=_STORED,
    )
    _store_values(session_id, scores)


def _store_values(session_id: str, scores: Mapping[str, dict[str, Any]]) -> None:
    """What the rules gave, in place of what they gave before."""
    rows = [
        MetricValue(session_id=session_id, profile=profile, key=key, value=value)
        for profile, figures in scores.items()
        for key, value in values_of(metrics_of(), figures).items()
    ]
    MetricValue.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["session", "profile", "rater", "key"],
        update_fields=["value"],
    )
    gone = MetricValue.objects.filter(session=session_id, rater="")
    for profile, figures in scores.items():
        gone.filter(profile=profile).exclude(key__in=values_of(metrics_of(), figures)).delete()


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
    """Scored sessions that lack a profile, or whose scores another version of the code made."""
    tried = Score.objects.filter(session=OuterRef("pk"), tried=CODE_VERSION)
    lacking: Any = Q()
    for profile in PROFILES:
        lacking |= ~Exists(tried.filter(profile=profile))
    scored = Exists(Score.objects.filter(session=OuterRef("pk")))
    return Session.objects.filter(scored, lacking, status__in=ENDED)


def _is_outdated(session_id: str) -> bool:
    """Whether `outdated` has this session; asked of one, without its nested queries."""
    ended = Score.objects.filter(session=session_id, session__status__in=ENDED)
    tried = dict(ended.values_list("profile", "tried"))
    return bool(tried) and any(tried.get(profile) != CODE_VERSION for profile in PROFILES)


def rescore(*, session_id: str) -> bool:
    """Bring an outdated session's scores up to date as `score_session` does; whether it was one."""
    if not _is_outdated(session_id):
        return False
    _try(Session.objects.select_related("task").only(*_READ).get(pk=session_id), _passing_log)
    return True


def _passing_log(session_id: str) -> list[Event]:
    """A log that is not kept: those that pages show would make room for it."""
    return list(read_log(session_id))


def _give_up(session: Session) -> None:
    for profile in PROFILES:
        Score.objects.get_or_create(
            session=session, profile=profile, defaults={"code_version": "", "figures": {}}
        )
    Score.objects.filter(session=session).update(tried=CODE_VERSION)
    ScoringTry.objects.filter(pk=session.pk).delete()
