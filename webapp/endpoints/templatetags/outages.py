"""Models that do not answer, for the pages that name them."""

from __future__ import annotations

from django import template

from webapp.endpoints.outages import Outage, outages

register = template.Library()


@register.simple_tag
def failing_models(*names: str) -> list[Outage]:
    """The endpoints whose requests all fail, of these or of all."""
    return outages(names or None)
