"""What a person in the agent's seat says: it belongs to the turn in which it was said."""

from __future__ import annotations

from django.utils.translation import gettext as _

from webapp.people.guests import acting
from webapp.people.models import Guest
from webapp.people.page import Table
from webapp.sessions.inbox import MessageRefused, deliver, sent_before


def send_now(guest: Guest, client_id: str, content: str) -> None:
    """Send words that do not wait for another turn, which may be of another kind.

    Raises:
        MessageRefused: it is not their turn, or something else was sent in it.
    """
    with acting(guest):
        if sent_before(guest.seat, client_id) is not None:
            return
        table = Table(guest)
        if table.waiting or table.standing != "yours" or table.state.loop.waiting:
            raise MessageRefused(_("It is not your turn now, so nothing was sent."))
        deliver(seat=guest.seat, client_id=client_id, content=content)


def say(table: Table, client_id: str, text: str) -> None:
    """Send words of the composer, unless the turn asks for something else.

    Raises:
        MessageRefused: as `send_now`, or this turn is for something else.
    """
    if table.page.agent.answers_once:
        raise MessageRefused(_("Your one message holds the plan: post it from the tab “Plan”."))
    if table.standing == "yours" and (why := table.page.agent.why_not(table.fold)):
        raise MessageRefused(why)
    send_now(table.guest, client_id, text)
