"""Inboxes: what was sent to a seat, and how far it is taken."""

from __future__ import annotations

from django.db.models import QuerySet

from benchmark.core.actions import Action, Pass, Say
from webapp.seats.models import InboxMessage, Seat


class SeatInbox:
    """The inbox of one seat, as the worker that holds its session reads it."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._read: InboxMessage | None = None

    def read(self) -> Action | None:
        """The oldest message that is not taken."""
        self._read = unread(self._seat).first()
        if self._read is None:
            return None
        return Pass() if self._read.kind == InboxMessage.Kind.PASS else Say(self._read.content)

    def take(self, seq: int) -> None:
        """Mark what was read last as taken; call it in the transaction that stores what came of it.

        seq: the last event of that step.
        """
        if self._read is not None:
            InboxMessage.objects.filter(pk=self._read.pk).update(taken_at_seq=seq)

    def forget(self) -> None:
        """What was read is stored as taken."""
        self._read = None

    @property
    def has_mail(self) -> bool:
        """Whether there is something that was not taken."""
        return unread(self._seat).exists()


def unread(seat: Seat) -> QuerySet[InboxMessage]:
    """What was sent to a seat and is not taken, the oldest first."""
    return InboxMessage.objects.filter(seat=seat, taken_at_seq=None).order_by("pk")


def copy_taken(seats: dict[int, Seat]) -> None:
    """Send to seats what others took, in the order in which they did. seats: by the key of the one that took it."""
    taken = InboxMessage.objects.filter(seat__in=seats).exclude(taken_at_seq=None).order_by("pk")
    InboxMessage.objects.bulk_create(
        InboxMessage(seat=seats[sent.seat_id], client_id=sent.client_id, kind=sent.kind, content=sent.content)
        for sent in taken
    )
