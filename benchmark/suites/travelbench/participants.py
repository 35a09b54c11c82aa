"""The participants by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchmark.core.actions import Action, Say
from benchmark.core.participant import Participant
from benchmark.core.view import View
from benchmark.suites.travelbench.conversation.answers import SPENT


@dataclass(frozen=True, slots=True)
class Bounded:
    """An agent that is asked no more once the steps of its turn are spent: a fixed sentence is its answer then."""

    agent: Participant[Any]

    def act(self, view: View) -> Action:
        """The agent's own action within the limit."""
        return self.agent.act(view) if view.turn.tools_allowed else Say(SPENT)
