"""Models that do not answer, for the pages that name them."""

from __future__ import annotations

from django import template

from webapp.endpoints.long_requests import LongRequests
from webapp.endpoints.long_requests import long_requests as requests_that_take_long
from webapp.endpoints.outages import Outage, outages

register = template.Library()


@register.simple_tag
def failing_models(*names: str, retrying: bool = False) -> list[Outage]:
    """The endpoints whose requests all fail, of these or of all; retrying: only those that are still asked."""
    return [outage for outage in outages(names or None) if outage.retrying or not retrying]


@register.simple_tag
def long_requests(*names: str) -> list[LongRequests]:
    """The requests that take long, to these models or to all."""
    return requests_that_take_long(names or None)
