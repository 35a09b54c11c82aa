"""A session as one page that opens without a server: styles and script are inside, and nothing is fetched."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from html import escape
from typing import Any
from urllib.parse import urlsplit

import nh3
from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from benchmark.core.events import RESEARCH, Event, ParticipantJoined
from benchmark.exports.session import payload_of
from webapp.catalogue.wording import task_title
from webapp.people.exports import Naming, met_in, personal
from webapp.sessions.chat import chat_html
from webapp.sessions.head import figures, status_line
from webapp.sessions.models import Session
from webapp.sessions.panels import panel_context, panels_of
from webapp.sessions.reading import Reading
from webapp.standalone import policy

STYLES = ("caravan.css", "export.css")


def session_html(session: Session, naming: Naming) -> str:
    """The page: head, plan, tables, scores with evidence, what judges and people said, the talk, the raw events."""
    holders = met_in([session], naming).get(session.pk, ())
    reading = Reading.of(session)
    static = settings.BASE_DIR / "static"
    styles = "".join((static / "css" / name).read_text("utf-8") for name in STYLES)
    script = (static / "js" / "export.js").read_text("utf-8")
    here = session.get_absolute_url()
    chat = chat_html(reading.events, session=session, viewer=RESEARCH, language=get_language() or "en")
    context = {
        "session": session,
        "title": task_title(session.task),
        "figures": figures(reading),
        "status": status_line(reading),
        "seats": list(reading.state.seats.values()),
        "personal": personal(holders, naming),
        "panels": list(_panels(reading, here)),
        "chat": _safe(plain_html(chat, here=here)),
        "raw": [(event, _raw(event)) for event in reading.events],
        "styles": _safe(styles.replace("</", "<\\/")),
        "script": _safe(script),
        "policy": policy(styles=[styles.replace("</", "<\\/")], scripts=[script]),
    }
    page = render_to_string("exchange/session.html", context)
    return naming.html(_without_secrets(page, _addresses(reading.events)))


def _safe(text: str) -> SafeString:
    return mark_safe(text)  # our own files, and what `plain_html` has let through


def _panels(reading: Reading, here: str) -> Iterator[tuple[Any, list[tuple[str, SafeString]]]]:
    """Each panel with its HTML: once, or for each traveller where they differ."""
    for name, panel in panels_of(reading.session.suite).items():
        if not panel.applies_to(reading.session):
            continue
        shown = {user: _panel(reading, name, user, here) for user in reading.users or [""]}
        alike = len(set(shown.values())) == 1
        yield panel.label, [("", next(iter(shown.values())))] if alike else list(shown.items())


def _panel(reading: Reading, name: str, traveller: str, here: str) -> SafeString:
    context = panel_context(reading, name, traveller)
    html = render_to_string(context["template"], context)
    return _safe(plain_html(html, here=here, keep_ids=False))


def _raw(event: Event) -> str:
    return json.dumps(payload_of(event), ensure_ascii=False, indent=1)


def _addresses(events: Iterable[Event]) -> set[str]:
    """The addresses of models, which may hold a password."""
    bodies = (event.body for event in events)
    return {
        body.model.base_url
        for body in bodies
        if isinstance(body, ParticipantJoined) and body.model is not None
    }


def _without_secrets(page: str, secrets: Iterable[str]) -> str:
    for secret in secrets:
        page = page.replace(escape(secret), "…")
    return page


# Parts of our pages as plain HTML: what needs a server, and what nobody has allowed, is left out.


_MORE_TAGS = (
    "article aside details dl dt dd figcaption figure kbd main mark meter progress section summary tfoot"
    " svg g rect circle ellipse line path polygon polyline text title tspan"
)
_ATTRIBUTES = (
    "class title lang dir role open scope colspan rowspan datetime value min max low high optimum"
    " x y x1 x2 y1 y2 cx cy r rx ry dx dy d points width height viewBox preserveAspectRatio text-anchor transform"
)
_TAGS = (nh3.ALLOWED_TAGS | {*_MORE_TAGS.split()}) - {"img", "area", "map"}
_DROPPED_TAGS = {
    "script",
    "style",
    "template",
    "button",
    "select",
    "textarea",
    "noscript",
    "iframe",
    "object",
}
"""Left out with all that they hold; of any other tag that is not allowed only what it holds stays."""


def plain_html(html: str, *, here: str, keep_ids: bool = True) -> str:
    """What a page shows without a server.

    here: the path of the page; a link to a place on it stays a link to that place, any other one only its words.
    """

    def kept_attribute(tag: str, name: str, value: str) -> str | None:
        if name == "href":
            return _place(value, here)
        return value

    return nh3.clean(
        html,
        tags=_TAGS,
        clean_content_tags=_DROPPED_TAGS,
        attributes={"*": {*_ATTRIBUTES.split(), *(["id"] if keep_ids else [])}, "a": {"href"}},
        generic_attribute_prefixes={"aria-"},
        attribute_filter=kept_attribute,
        link_rel=None,
        url_schemes=set(),
        strip_comments=True,
    )


def _place(href: str, here: str) -> str | None:
    try:
        parts = urlsplit(href)
    except ValueError:
        return None
    same = not (parts.scheme or parts.netloc) and parts.path in ("", here)
    return f"#{parts.fragment}" if same and parts.fragment else None
