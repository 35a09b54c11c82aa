"""Whose turn it is.

A turn is the agent's answer with what the user says to it, as run records number it.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from benchmark.core.events import TurnGranted
from benchmark.core.view import AGENT
from benchmark.suites.travelbench.conversation.state import SessionState
from benchmark.suites.travelbench.modes import MOST_TURNS


def section(turn: TurnGranted) -> tuple[str, str]:
    """The number of the turn, as a key and a label."""
    return str(number(turn)), str(number(turn))


def number(turn: TurnGranted) -> int:
    """From 1."""
    return turn.round + (turn.speaker == AGENT)


def turn_words(turn: TurnGranted) -> str:
    """In a line of the conversation."""
    if turn.speaker == AGENT and turn.round:
        return _("turn %(n)s, to %(who)s") % {"n": number(turn), "who": turn.speaker}
    return _("to %(who)s") % {"who": turn.speaker}


def standing(state: SessionState) -> str:
    """What goes on, in the head of the page; "" where nobody has the turn."""
    if state.turn is None:
        return ""
    who = {"who": state.turn.speaker}
    if state.opening is None or state.opening.subtask != "multi":
        return _("Waiting for %(who)s") % who
    words = _("Turn %(n)s of %(most)s · waiting for %(who)s")
    return words % {**who, "n": number(state.turn), "most": MOST_TURNS}
