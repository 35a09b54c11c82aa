"""One event as HTML: the same template for the page, the live socket and replay."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.template.loader import render_to_string
from django.utils import translation

from benchmark.core.events import RESEARCH, Event
from webapp.sessions.log import FORGETTING
from webapp.sessions.models import Session

TEMPLATE_VERSION = 10
"""Raise it when a template of an event changes what it shows."""


class _RenderKey:
    """An event with what its HTML depends on; equal keys give equal HTML."""

    __slots__ = ("event", "key", "session")

    def __init__(self, event: Event, session: Session, key: tuple[Any, ...]) -> None:
        self.event, self.session, self.key = event, session, key

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _RenderKey) and self.key == other.key


def render_event(event: Event, *, session: Session, viewer: str, language: str) -> str:
    """The event's HTML for this viewer, cached by event, viewer, language and template version.

    By what was said as well, which may be removed from a log.
    """
    said = tuple(str(getattr(event.body, name)) for name in event.body.words)
    key = (session.pk, event.seq, viewer, language, TEMPLATE_VERSION, hash(said))
    return _render(_RenderKey(event, session, key), viewer, language)


@lru_cache(maxsize=20_000)
def _render(rendered: _RenderKey, viewer: str, language: str) -> str:
    event = rendered.event
    with translation.override(language):
        context = {"event": event, "body": event.body, "session": rendered.session, "viewer": viewer}
        return render_to_string(_templates(rendered.session.suite, event.body.type, viewer), context).strip()


FORGETTING.append(_render.cache_clear)


def _templates(suite: str, kind: str, viewer: str) -> list[str]:
    """The first of these that exists. At a seat an event that no template was written for shows nothing."""
    named = f"events/{kind}.html"
    if viewer == RESEARCH:
        return [f"suites/{suite}/{named}", f"sessions/{named}", "sessions/events/any.html"]
    return [f"suites/{suite}/seat/{named}", f"people/{named}", "people/events/nothing.html"]
