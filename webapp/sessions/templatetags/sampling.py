"""How models are asked beside what their endpoints have, in templates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template

from webapp.sessions.sampling import sampling_words

register = template.Library()


@register.filter
def sampling_lines(stored: Mapping[str, Mapping[str, Any]] | None) -> list[str]:
    """What is chosen, a line for each that is asked. stored: as rows hold it, by role."""
    return [sampling_words(role, own) for role, own in (stored or {}).items()]
