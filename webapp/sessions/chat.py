"""The chat of a session page: every event's HTML, a tool's answer inside its call."""

from __future__ import annotations

import re
from collections.abc import Iterable

from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe

from benchmark.core.events import Event, MessagePosted, ToolCalled, ToolReturned
from webapp.sessions.models import Session
from webapp.sessions.rendering import render_event

_INTO = re.compile(r'data-into="([^"]*)"')
_SLOT = "<!--/-->"
_BLOCK = 40
"""Elements or more of which a block is made, up to the next message, so that what is folded together stays so."""


def chat_html(
    events: Iterable[Event], *, session: Session, viewer: str, language: str, blocks: bool = False
) -> SafeString:
    """The same elements that the socket sends one by one, in the same places; `events` are those of the viewer.

    blocks: whether they stand in blocks, so that a browser need not look at each of thousands that are out of sight.
    """
    parts: list[str] = []
    begins = [0]
    calls: dict[str, int] = {}
    for event in events:
        html = render_event(event, session=session, viewer=viewer, language=language)
        body = event.body
        if isinstance(body, ToolReturned) and body.call_id in calls:
            at = calls[body.call_id]
            parts[at] = _fill_slots(parts[at], html)
            continue
        if isinstance(body, ToolCalled):
            calls[body.call_id] = len(parts)
        if isinstance(body, MessagePosted) and len(parts) - begins[-1] >= _BLOCK:
            begins.append(len(parts))
        parts.append(html)
    if not blocks:
        return _join_parts(parts)
    ends = [*begins[1:], len(parts)]
    pieces = (_join_parts(parts[begin:end]) for begin, end in zip(begins, ends, strict=True))
    return format_html_join("\n", '<div class="block">{}</div>', ((piece,) for piece in pieces))


def _join_parts(parts: Iterable[str]) -> SafeString:
    return mark_safe("\n".join(filter(None, parts)))  # templates escape what they show


def _fill_slots(call: str, answer: str) -> str:
    """A call's HTML with the parts of its answer in the slots that they name."""
    for part in answer.split(_SLOT):
        if named := _INTO.search(part):
            call = call.replace(f"<!--{named.group(1)}-->", part, 1)
    return call
