"""The one interface of every agent and every traveller, built in or human."""

from __future__ import annotations

from typing import Protocol

from benchmark.core.actions import Action
from benchmark.core.view import View


class Participant(Protocol):
    """A seat's occupant. It holds no state that matters: all it knows is in the view, so any process can go on.

    `act` may be called again for the same turn (after tools have run, after a refused answer, after a crash) and
    must depend on the view alone; chance comes from `view.seed`.
    """

    def act(self, view: View) -> Action:
        """One step: one utterance, one batch of tool calls, a pass, or `Waiting`."""
        ...
