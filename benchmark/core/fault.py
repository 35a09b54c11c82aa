"""The error of a participant that ends its session."""

from __future__ import annotations


class ParticipantFault(RuntimeError):
    """A participant, usually a model, did something after which the session can't go on; the message says what.

    It is no fault of this program: it is told in the session, and needs no traceback.
    """
