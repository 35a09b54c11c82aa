"""Showing a log that came from elsewhere once, before it is stored: a page that can't be shown helps nobody."""

from __future__ import annotations

from collections.abc import Sequence

from django.template.loader import render_to_string

from benchmark.core.events import RESEARCH, Event
from webapp.sessions import head, outline
from webapp.sessions.chat import chat_html
from webapp.sessions.models import Session
from webapp.sessions.panels import panel_context, panels_of
from webapp.sessions.reading import Reading


def show(session: Session, events: Sequence[Event]) -> None:
    """Build every part of a session's page for a researcher; what its log can't bear is raised, whatever it is.

    session: its id is that of no stored one.
    """
    reading = Reading(session, list(events))
    chat_html(reading.events, session=session, viewer=RESEARCH, language="en")
    head.status_line(reading)
    head.figures(reading)
    outline.sections(reading)
    outline.marks(reading)
    for name, panel in panels_of(session.suite).items():
        users = reading.users or [""]
        for user in users if panel.by_traveller else users[:1]:
            render_to_string("sessions/panel.html", panel_context(reading, name, user))
