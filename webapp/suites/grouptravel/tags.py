"""Filters of the templates of GroupTravelBench."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from benchmark.core.events import Event
from benchmark.suites.grouptravel.conversation.markers import mention_pattern
from benchmark.suites.grouptravel.conversation.state import QUOTA
from webapp.sessions.cast import colour_of, users_of
from webapp.sessions.models import Session
from webapp.suites.grouptravel.wording import turns
from webapp.suites.grouptravel.wording.fields import field_of, path_label, value_words

register = template.Library()
register.filter("path_label", path_label)
register.filter("turn_words", turns.turn_words)
register.filter("skipped_words", turns.skipped_words)
register.filter("is_quiet", turns.is_quiet)
register.filter("problem_words", turns.problem_words)


@register.filter
def mentions(text: str, session: Session) -> SafeString:
    """Untrusted text, escaped, with `@name` of everybody at the table marked in their colour."""
    users = users_of(session)
    parts, end = [], 0
    for match in mention_pattern(users).finditer(text):
        parts.append(conditional_escape(text[end : match.start()]))
        colour = colour_of(match.group(1), users)
        parts.append(format_html('<span class="mention {}">{}</span>', colour, match.group()))
        end = match.end()
    parts.append(conditional_escape(text[end:]))
    return mark_safe("".join(parts))  # every part is escaped above


@register.filter
def value_text(value: Any, path: str) -> str:
    """What the field at a dotted path holds, in words."""
    return value_words(value, field_of(path)[0])


@register.filter
def compromise_count(event: Event, session: Session) -> str:
    """Which of the two compromises this event is: `1 of 2`."""
    given = session.events.filter(type="compromise_applied", actor=event.actor, seq__lte=event.seq)
    return _("%(n)s of %(quota)s") % {"n": given.count(), "quota": QUOTA}
