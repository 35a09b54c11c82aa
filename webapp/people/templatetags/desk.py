"""What the agent's seat shows of a tool's result to a person who has it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from django import template
from django.utils.translation import gettext as _

from webapp.pages import FoundThing, pages_of

register = template.Library()


@register.simple_tag
def result_found(text: str, suite: str) -> Sequence[FoundThing]:
    """The things in a tool's result, with what can be done with each; none for free text."""
    try:
        result = json.loads(text)
    except (ValueError, RecursionError):
        return ()
    return pages_of(suite).seat.agent.things_in(result)


@register.simple_tag
def use_words(kind: str) -> str:
    """The label of the button that fills a form with one of `Found.uses`."""
    return {"name": _("Name"), "location": _("Coordinates"), "id": _("Details")}.get(kind, kind)


@register.simple_tag
def address_of(fields: Mapping[str, str]) -> str:
    """Fields as they stand in an address."""
    return urlencode(fields)
