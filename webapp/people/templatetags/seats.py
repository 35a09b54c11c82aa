"""What pages of sessions and runs show of live seats."""

from __future__ import annotations

from django import template

from benchmark.core.participant import OUTSIDE_KINDS
from webapp.people.invitations import live_seats
from webapp.people.models import Guest
from webapp.seats.models import Seat
from webapp.sessions.models import Run, Session

register = template.Library()


@register.simple_tag
def has_live_seats(session: Session) -> bool:
    """Whether people or programs sit in a session, or have."""
    here = Seat.objects.filter(session=session)
    return here.filter(kind__in=OUTSIDE_KINDS).exists() or Guest.objects.filter(seat__in=here).exists()


@register.simple_tag
def run_has_live_seats(run: Run) -> bool:
    """Whether people or programs sit in a session of a run."""
    return live_seats(run.sessions.all()).exists()
