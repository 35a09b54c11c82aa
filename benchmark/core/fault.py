"""What a participant does that ends its session."""

from __future__ import annotations


class ParticipantFault(RuntimeError):
    """A participant, most often a model, does what no session can go on with; the message says what.

    It is no fault of this program: it is told in the session, and needs no traceback.
    """
