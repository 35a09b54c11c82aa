"""The panels beside the chat: each reads a log and gives what its template shows."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from benchmark.suites import suite_named
from webapp.pages import Panel, pages_of, place_parts
from webapp.sessions.panels import models, scores, tools
from webapp.sessions.reading import Reading


def _has_tools(suite: str) -> bool:
    return suite_named(suite).play.has_tools


SHARED_PANELS = [
    Panel("tools", _("Tools"), tools.context, "tool_called tool_returned", for_suite=_has_tools),
    Panel("models", _("Models"), models.context, "model_called draft_withdrawn"),
    Panel("scores", _("Scores"), scores.context, "session_finished"),
]
"""Of every benchmark; apps above add theirs."""


def panels_of(suite: str) -> dict[str, Panel]:
    """The panels of a benchmark's sessions by their names, in order."""
    shared = [panel for panel in SHARED_PANELS if panel.for_suite(suite)]
    return {panel.name: panel for panel in place_parts(shared, pages_of(suite).session.panels)}


def panel_context(reading: Reading, name: str, traveller: str) -> dict[str, Any]:
    """Everything that the panel's template needs; what is unknown reads as the first panel, the first traveller."""
    suite, users = reading.session.suite, reading.users
    panels = panels_of(suite)
    panel = panels.get(name) or next(iter(panels.values()))
    chosen = traveller if traveller in users else (users[0] if users else "")
    return {
        "session": reading.session,
        "panel": panel,
        "template": [f"suites/{suite}/panels/{panel.name}.html", f"sessions/panels/{panel.name}.html"],
        "panels": [panel for panel in panels.values() if panel.applies_to(reading.session)],
        "users": users,
        "traveller": chosen,
        "at": reading.at,
        "last_seq": reading.session.last_seq,
        **panel.context(reading, chosen),
    }
