"""Events at the seats of a session that were caused outside its step loop, on their way into the log."""

from __future__ import annotations

from benchmark.core.events import EventBody, ParticipantJoined
from benchmark.suites import load_body
from webapp.seats.models import Notice, Seat


class Notices:
    """The notices of one session, as the worker that holds it takes them."""

    def __init__(self, session_id: str, suite: str) -> None:
        self._session_id, self._suite = session_id, suite
        self._read: Notice | None = None

    @property
    def waiting(self) -> bool:
        """Whether there is a notice that is not in the log yet."""
        return Notice.objects.filter(session=self._session_id, taken_at_seq=None).exists()

    def read(self) -> tuple[str, EventBody] | None:
        """The actor and the event of the oldest notice that is not in the log yet; None if there is none."""
        self._read = Notice.objects.filter(session=self._session_id, taken_at_seq=None).first()
        if self._read is None:
            return None
        return self._read.actor, load_body(self._suite, self._read.type, 1, self._read.payload)

    def take(self, seq: int) -> None:
        """Mark the notice that was read last as taken; call it in the transaction that stores its event."""
        if self._read is not None:
            Notice.objects.filter(pk=self._read.pk).update(taken_at_seq=seq)

    def model_of_taken(self) -> int | None:
        """The key of the endpoint of the participant that takes a seat over by the notice that was read last."""
        return self._read.model_id if self._read is not None else None

    def forget(self) -> None:
        """Forget the notice that was read last, after the transaction that marks it as taken."""
        self._read = None


def reseat(session_id: str, joined: ParticipantJoined, model_id: int | None) -> None:
    """Store who has a seat now; call it in the transaction that stores the event."""
    options = joined.model.model_dump(mode="json") if joined.model else {}
    Seat.objects.filter(session=session_id, name=joined.seat).update(
        kind=joined.kind, model_id=model_id, options=options
    )
