"""Models that do not answer, for the pages that name them."""

from __future__ import annotations

from django import template

from webapp.endpoints.outages import Outage, outages

register = template.Library()


@register.simple_tag
def failing_models(*names: str, retrying: bool = False) -> list[Outage]:
    """The endpoints whose requests all fail, of these or of all; retrying: only those that are still asked."""
    return [one for one in outages(names or None) if one.retrying or not retrying]
