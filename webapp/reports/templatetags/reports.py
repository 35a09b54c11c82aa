"""Reports in templates."""

from __future__ import annotations

from django import template

from webapp.reports import wording

register = template.Library()
register.simple_tag(wording.sessions_words)
