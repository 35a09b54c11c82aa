"""Sending to a seat of a session from outside, and telling its log what happens there."""

from __future__ import annotations

from django.utils.translation import gettext as _

from benchmark.core.actions import calls_in_text
from benchmark.core.events import EventBody
from benchmark.core.participant import OUTSIDE_KINDS
from webapp.endpoints.models import ModelEndpoint
from webapp.fields import NUL
from webapp.jobs.services import wake_reader
from webapp.seats.inbox import unread_messages
from webapp.seats.models import InboxMessage, Notice, Role, Seat
from webapp.sessions.jobs import SESSION
from webapp.sessions.models import Session

MOST = 20_000
"""Characters of one message."""
MOST_WAITING = 20
"""Messages to a seat that are not taken yet."""


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
    known = sent_before(seat, client_id)
    if known is None:
        _refuse_closed(seat)
        known, _made = InboxMessage.objects.get_or_create(
            seat=seat, client_id=client_id, defaults={"kind": kind, "content": content}
        )
    wake_reader(kind=SESSION, subject=seat.session_id)
    return known


def sent_before(seat: Seat, client_id: str) -> InboxMessage | None:
    """The message of a seat with this id, taken or not; ids that can be none are of none."""
    return (
        InboxMessage.objects.filter(seat=seat, client_id=client_id).first() if storable(client_id) else None
    )


def take_back(*, seat: Seat, client_id: str) -> bool:
    """Unsend a message that the session has not taken yet; False where it has."""
    return bool(InboxMessage.objects.filter(seat=seat, client_id=client_id, taken_at_seq=None).delete()[0])


def tell(*, session_id: str, actor: str, body: EventBody, model: ModelEndpoint | None = None) -> None:
    """Have the log of a session hold an event from outside its step loop, before its next step.

    model: what whoever takes a seat over speaks through.
    """
    payload = body.model_dump(mode="json", exclude={"type"})
    Notice.objects.create(session_id=session_id, actor=actor, type=body.type, payload=payload, model=model)
    wake_reader(kind=SESSION, subject=session_id)


def _refuse_closed(seat: Seat) -> None:
    if seat.kind not in OUTSIDE_KINDS:
        words = _("Seat “%(seat)s” has no inbox: “%(kind)s” sits there.")
        raise MessageRefused(words % {"seat": seat.name, "kind": seat.kind})
    if Session.objects.get(pk=seat.session_id).ended:
        words = _("Session %(session)s has ended; nothing more can be sent to it.")
        raise MessageRefused(words % {"session": seat.session_id})
    if unread_messages(seat).count() >= MOST_WAITING:
        words = _("%(most)s messages are already waiting; send more when the session has read them.")
        raise MessageRefused(words % {"most": MOST_WAITING})


def _refuse_unfit(client_id: str, content: str, kind: InboxMessage.Kind, seat: Seat) -> None:
    if not 0 < len(client_id) <= 100 or not storable(client_id):
        raise MessageRefused(_("A message needs an id of its own of at most 100 characters."))
    if kind == InboxMessage.Kind.PASS:
        if seat.role == Role.AGENT:
            raise MessageRefused(_("The agent must speak when it is its turn. Send a message."))
    elif kind == InboxMessage.Kind.CALL:
        _refuse_calls(content, seat)
    elif not content.strip():
        raise MessageRefused(_("The message is empty; write something, or pass."))
    if len(content) > MOST:
        words = _("The message has %(count)s characters, and at most %(most)s are allowed. Shorten it.")
        raise MessageRefused(words % {"count": len(content), "most": MOST})
    if not storable(content):
        raise MessageRefused(_("The message contains an invalid character; type it again."))


def _refuse_calls(content: str, seat: Seat) -> None:
    if seat.role != Role.AGENT:
        raise MessageRefused(_("Only the agent calls tools; send a message, or pass."))
    try:
        calls = calls_in_text(content)
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise MessageRefused(_("These are not tool calls: %(why)s") % {"why": error}) from error
    if not calls.calls:
        raise MessageRefused(_("No tool is called. Name one, or send a message."))


def storable(text: str) -> bool:
    """Whether every database can store it: no NUL, no half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return NUL not in text
