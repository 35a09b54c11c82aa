"""What pages of sessions show of replays and forks."""

from __future__ import annotations

from django import template

from webapp.cassettes import selectors
from webapp.cassettes.forking import why_not
from webapp.sessions.models import Session
from webapp.sessions.selectors import sessions

register = template.Library()
SHOWN_FORKS = 50


@register.simple_tag
def verdict_of(session: Session) -> selectors.Verdict | None:
    """How an ended replay compares to its recording; None of anything else."""
    return selectors.verdict_of(session)


@register.simple_tag
def forks_of(session: Session) -> list[Session]:
    """The sessions that continue one, newest first, with what lists show of them."""
    return list(sessions().filter(fork_of=session)[:SHOWN_FORKS])


@register.filter
def can_fork(session: Session) -> bool:
    """Whether another session can continue it."""
    return not why_not(session)


@register.simple_tag
def recorded_in(session: Session) -> selectors.RecordedPart:
    """What an ended session holds for a replay."""
    return selectors.recorded_in(session)
