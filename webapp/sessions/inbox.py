"""Sending to a seat of a session from outside."""

from __future__ import annotations

from django.utils.translation import gettext as _

from benchmark.core.participant import INBOX
from webapp.fields import NUL
from webapp.jobs.services import wake_reader
from webapp.seats.models import InboxMessage, Role, Seat
from webapp.sessions.jobs import SESSION
from webapp.sessions.models import Session

MOST = 20_000
"""Characters of one message."""


class MessageRefused(ValueError):
    """A message that a seat can't take; the words say why and what helps."""


def deliver(
    *, seat: Seat, client_id: str, content: str = "", kind: InboxMessage.Kind = InboxMessage.Kind.SAY
) -> InboxMessage:
    """Send a message to a seat; its session goes on with it. The same `client_id` again gives the first message.

    Raises:
        MessageRefused: nothing is stored.
    """
    _refuse_unfit(client_id, content, kind, seat)
    known = InboxMessage.objects.filter(seat=seat, client_id=client_id).first()
    if known is None:
        _refuse_closed(seat)
        known, _made = InboxMessage.objects.get_or_create(
            seat=seat, client_id=client_id, defaults={"kind": kind, "content": content}
        )
    wake_reader(kind=SESSION, subject=seat.session_id)
    return known


def _refuse_closed(seat: Seat) -> None:
    if seat.kind != INBOX:
        words = _("Seat “%(seat)s” has no inbox: “%(kind)s” sits there.")
        raise MessageRefused(words % {"seat": seat.name, "kind": seat.kind})
    if Session.objects.get(pk=seat.session_id).ended:
        words = _("Session %(session)s has ended; nothing more can be sent to it.")
        raise MessageRefused(words % {"session": seat.session_id})


def _refuse_unfit(client_id: str, content: str, kind: InboxMessage.Kind, seat: Seat) -> None:
    if not 0 < len(client_id) <= 100 or not _storable(client_id):
        raise MessageRefused(_("A message needs an id of its own, of at most 100 characters."))
    if kind == InboxMessage.Kind.PASS:
        if seat.role == Role.AGENT:
            raise MessageRefused(_("The agent has to speak when it is its turn; send a message."))
    elif not content.strip():
        raise MessageRefused(_("The message is empty; write something, or pass."))
    if len(content) > MOST:
        words = _("The message has %(count)s characters; %(most)s are the most. Shorten it.")
        raise MessageRefused(words % {"count": len(content), "most": MOST})
    if not _storable(content):
        raise MessageRefused(_("The message contains an invalid character; type it again."))


def _storable(text: str) -> bool:
    """Whether every database can store it: no NUL, no half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return NUL not in text
