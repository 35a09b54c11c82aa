"""Inboxes: the messages to a seat, and which of them its session has taken into the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.db.models import QuerySet

from benchmark.cassettes import InboxDelivery
from benchmark.core.actions import Action, Pass, Say, calls_in_text
from webapp.seats.models import InboxMessage, Seat


class SeatInbox:
    """The inbox of one seat, as the worker that holds its session reads it."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._read: InboxMessage | None = None

    def read(self) -> Action | None:
        """The oldest message that is not taken, as an action; None if there is none."""
        self._read = unread_messages(self._seat).first()
        if self._read is None:
            return None
        match self._read.kind:
            case InboxMessage.Kind.PASS:
                return Pass()
            case InboxMessage.Kind.CALL:
                return calls_in_text(self._read.content)
        return Say(self._read.content)

    def take(self, seq: int) -> None:
        """Mark the message that was read last as taken; call it in the transaction that stores the step it led to.

        seq: the number of the last event of that step.
        """
        if self._read is not None:
            InboxMessage.objects.filter(pk=self._read.pk).update(taken_at_seq=seq)

    def forget(self) -> None:
        """Forget the message that was read last, after the transaction that marks it as taken."""
        self._read = None

    @property
    def has_mail(self) -> bool:
        """Whether there is something that was not taken."""
        return unread_messages(self._seat).exists()


def unread_messages(seat: Seat) -> QuerySet[InboxMessage]:
    """The messages to a seat that are not taken, the oldest first."""
    return InboxMessage.objects.filter(seat=seat, taken_at_seq=None).order_by("pk")


def unread_in(session_id: str) -> frozenset[int]:
    """The keys of all messages to the seats of a session that are not taken."""
    messages = InboxMessage.objects.filter(seat__session=session_id, taken_at_seq=None)
    return frozenset(messages.values_list("pk", flat=True))


def sent_to(session_id: str) -> Iterator[InboxDelivery]:
    """The messages that the seats of a session have taken, in the order in which they took them."""
    taken = InboxMessage.objects.filter(seat__session=session_id).exclude(taken_at_seq=None)
    for row in taken.select_related("seat").order_by("taken_at_seq"):
        said = None if row.kind == InboxMessage.Kind.PASS else row.content
        yield InboxDelivery(
            row.seat.name, said, row.taken_at_seq or 0, calls=row.kind == InboxMessage.Kind.CALL
        )


def send_recorded(session_id: str, recorded: Iterable[InboxDelivery], *, has: int) -> None:
    """Send the messages of a cassette to the seats of a session.

    has: the last event of the cassette that the log of the session already has; messages up to it count as taken.
    """
    seats = {seat.name: seat for seat in Seat.objects.filter(session=session_id)}
    kinds = InboxMessage.Kind
    InboxMessage.objects.bulk_create(
        InboxMessage(
            seat=seats[sent.seat],
            client_id=f"cassette-{number}",
            kind=kinds.PASS if sent.content is None else kinds.CALL if sent.calls else kinds.SAY,
            content=sent.content or "",
            taken_at_seq=sent.taken_at_seq if sent.taken_at_seq <= has else None,
        )
        for number, sent in enumerate(recorded)
    )
