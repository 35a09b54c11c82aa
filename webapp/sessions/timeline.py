"""The time line of a session: when each event was, and which ones are worth going to."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from benchmark.core.events import MessagePosted, ToolCalled, TurnGranted
from benchmark.core.forking import elapsed_s
from benchmark.suites import suite_named
from webapp.pages import Mark
from webapp.sessions.outline import marks_of
from webapp.sessions.reading import Reading

_GENERAL = (
    Mark("turn", _("Turn"), lambda body: isinstance(body, TurnGranted), letter="j"),
    Mark("message", _("Message"), lambda body: isinstance(body, MessagePosted)),
)
"""What every session has many of: no list of marks names each."""
_TOOL = Mark("tool", _("Tool call"), lambda body: isinstance(body, ToolCalled), letter="t")
"""Likewise, where the agent has tools."""


def kinds_of(suite: str) -> list[Mark]:
    """The kinds of events that the time line tells apart; what comes later is drawn over what comes before."""
    tool = [_TOOL] if suite_named(suite).play.has_tools else []
    return [*_GENERAL, *tool, *marks_of(suite)]


def timeline(reading: Reading, after: int = 0) -> dict[str, Any]:
    """The events after a number, as the page's script reads them.

    kinds: of events, each with its name, label and key. events: the number of each, the seconds from the first event
    to it (`elapsed_s`), and the places of its kinds.
    """
    kinds = kinds_of(reading.session.suite)
    return {
        "kinds": [{"name": kind.name, "label": str(kind.label), "key": kind.letter} for kind in kinds],
        "events": [
            [
                event.seq,
                round(seconds, 1),
                [place for place, kind in enumerate(kinds) if kind.applies_to(event.body)],
            ]
            for event, seconds in zip(reading.events, elapsed_s(reading.events), strict=True)
            if event.seq > after
        ],
    }
