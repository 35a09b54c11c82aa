"""What pages of sessions show of replays and forks."""

from __future__ import annotations

from django import template

from webapp.cassettes import selectors
from webapp.sessions.models import Session

register = template.Library()


@register.simple_tag
def verdict_of(session: Session) -> selectors.Verdict | None:
    """How an ended replay compares to its recording; None of anything else."""
    return selectors.verdict_of(session)


@register.simple_tag
def forks_of(session: Session) -> list[Session]:
    """The sessions that continue one, newest first."""
    return list(session.forks.select_related("agent_model"))


@register.simple_tag
def recorded_in(session: Session) -> selectors.Recorded:
    """What an ended session holds for a replay."""
    return selectors.recorded_in(session)
