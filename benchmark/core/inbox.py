"""A seat whose occupant is outside: a person at a page, a program over the network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from benchmark.core.actions import Action, Waiting
from benchmark.core.view import View

INBOX = "inbox"
"""The kind of such a participant, in every benchmark."""


class Inbox(Protocol):
    """What was sent to a seat."""

    def read(self) -> Action | None:
        """The oldest message that is not taken, None where there is none. The caller's store marks it as taken."""
        ...


@dataclass(frozen=True, slots=True)
class Correspondent:
    """Acts by one message of its inbox at a time, and waits while there is none."""

    inbox: Inbox

    def act(self, view: View) -> Action:
        """The next message as an action; it may not suit the view, which the rules then say."""
        return self.inbox.read() or Waiting()
