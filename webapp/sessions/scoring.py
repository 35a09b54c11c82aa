"""Scores of a session, its use of tools and models: readings of its log, stored beside it."""

from __future__ import annotations

from typing import Any

from benchmark.conversation.model_use import model_use
from benchmark.conversation.record import run_record
from benchmark.conversation.tool_use import tool_use
from benchmark.scoring import CODE_VERSION, score_record
from webapp.catalogue.packs import catalogue_of
from webapp.sessions.log import whole_log
from webapp.sessions.models import Score, Session


def record_of(session: Session) -> dict[str, Any]:
    """The published run record of a session, finished or not."""
    return run_record(whole_log(session.pk), task_index=session.task.position, trial_id=session.trial_id)


def score_session(*, session: Session, profile: str = "published") -> Score:
    """Score a session and store the figures, in place of earlier ones of that profile; what it used as well."""
    _store_use(session)
    figures = score_record(record_of(session), catalogue_of(session.pack), profile)
    counts = figures["pv_issue_counts"]
    score, _ = Score.objects.update_or_create(
        session=session,
        profile=profile,
        defaults={
            "code_version": CODE_VERSION,
            "pc": figures["pc"],
            "gu": figures["gu"],
            "gf": figures["gf"],
            "pv": figures["pv"],
            "issues": None if counts is None else sum(counts.values()),
            "figures": figures,
        },
    )
    return score


def _store_use(session: Session) -> None:
    log = whole_log(session.pk)
    Session.objects.filter(pk=session.pk).update(
        tool_use={name: use.stored() for name, use in tool_use(log).items()},
        model_use=[use.stored() for use in model_use(log)],
    )
