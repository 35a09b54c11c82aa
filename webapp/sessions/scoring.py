"""Scores of a session, its use of tools and models: readings of its log, stored beside it."""

from __future__ import annotations

import logging
from typing import Any

from django.db import Error, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from benchmark.conversation.events import Event, SessionOpened
from benchmark.conversation.model_use import model_use
from benchmark.conversation.record import run_record
from benchmark.conversation.tool_use import tool_use
from benchmark.scoring import CODE_VERSION, PROFILES, evidence_digest, score_record
from webapp.catalogue.packs import catalogue_of
from webapp.sessions.log import whole_log
from webapp.sessions.models import ENDED, Score, Session

log = logging.getLogger(__name__)


def record_of(session: Session) -> dict[str, Any]:
    """The published run record of a session, finished or not."""
    return run_record(whole_log(session.pk), task_index=session.task.position, trial_id=session.trial_id)


def score_session(*, session: Session) -> None:
    """Score a session by every profile, in place of earlier scores; store what it used as well."""
    events, record = whole_log(session.pk), record_of(session)
    record["child_members"] = _children(events[0])
    catalogue = catalogue_of(session.pack)
    scored = {profile: score_record(record, catalogue, profile) for profile in PROFILES}
    tools = {name: use.stored() for name, use in tool_use(events).items()}
    models = [use.stored() for use in model_use(events)]
    with transaction.atomic():
        Session.objects.filter(pk=session.pk).update(tool_use=tools, model_use=models)
        for profile, figures in scored.items():
            _store(session, profile, figures)


def _children(opening: Event) -> list[dict[str, str]]:
    """The young children of the task, whom a published record does not name."""
    opened = opening.body
    companions = opened.companions if isinstance(opened, SessionOpened) else ()
    return [{"user": child.name, "role": child.role} for child in companions]


def _store(session: Session, profile: str, figures: dict[str, Any]) -> None:
    counts = figures["pv_issue_counts"]
    Score.objects.update_or_create(
        session=session,
        profile=profile,
        defaults={
            "code_version": CODE_VERSION,
            "tried": CODE_VERSION,
            "digest": evidence_digest(figures["evidence"]),
            "pc": figures["pc"],
            "gu": figures["gu"],
            "gf": figures["gf"],
            "pv": figures["pv"],
            "issues": None if counts is None else sum(counts.values()),
            "figures": figures,
        },
    )


def outdated() -> QuerySet[Session]:
    """Scored sessions that lack a profile, or whose scores another version of the code made."""
    tried = Score.objects.filter(session=OuterRef("pk"), tried=CODE_VERSION)
    lacking: Any = Q()
    for profile in PROFILES:
        lacking |= ~Exists(tried.filter(profile=profile))
    scored = Exists(Score.objects.filter(session=OuterRef("pk")))
    return Session.objects.filter(scored, lacking, status__in=ENDED)


def rescore(*, session_id: str) -> bool:
    """Bring an outdated session's scores up to date; whether it was one. Its log is read, never written.

    One that can't be scored any more (its log or its world's pack can't be read) keeps the scores it has, which go
    on naming the version that made them, and is not tried again by this version.
    """
    session = outdated().select_related("task").filter(pk=session_id).first()
    if session is None:
        return False
    try:
        score_session(session=session)
    except Error:
        raise  # the database is busy or away, which says nothing of this session
    except Exception:
        log.exception("session %s can't be scored again; it keeps the scores it has", session_id)
        _give_up(session)
    return True


def _give_up(session: Session) -> None:
    for profile in PROFILES:
        Score.objects.get_or_create(
            session=session, profile=profile, defaults={"code_version": "", "figures": {}}
        )
    Score.objects.filter(session=session).update(tried=CODE_VERSION)
