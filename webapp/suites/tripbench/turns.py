"""Whose turn it is. A turn is a message of the user with the agent's reply."""

from __future__ import annotations

from django.utils.translation import gettext as _

from benchmark.core.events import TurnGranted
from benchmark.suites.tripbench.conversation.state import SessionState
from benchmark.suites.tripbench.modes import most_turns


def turn_words(turn: TurnGranted) -> str:
    """In a line of the conversation."""
    return _("turn %(n)s, to %(who)s") % {"n": turn.round + 1, "who": turn.speaker}


def standing(state: SessionState) -> str:
    """What goes on, in the head of the page; "" where nobody has the turn."""
    opened = state.opening
    if state.turn is None or opened is None:
        return ""
    words = _("Turn %(n)s of %(most)s at most · waiting for %(who)s")
    most = most_turns(opened.tier, opened.subset, opened.mode)
    return words % {"n": state.turn.round + 1, "most": most, "who": state.turn.speaker}
