"""Requests that take long: how a server that hangs looks until the time limit of its endpoint is over."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Count, Min

from webapp import clock
from webapp.endpoints.models import ModelSlot

LONG = timedelta(seconds=5)
"""Pages look again within five seconds, so that each tells of such a request within ten."""


class LongRequests(NamedTuple):
    """The requests to one model that take long. number: how many. since: when the first of them was sent."""

    endpoint: str
    number: int
    since: datetime


def long_requests(names: Collection[str] | None = None) -> list[LongRequests]:
    """Those that are on their way, by model; names: of which models, None for all."""
    now = clock.now()
    slots = ModelSlot.objects.exclude(holder="").filter(expires_at__gte=now, taken_at__lte=now - LONG)
    if names is not None:
        slots = slots.filter(endpoint__name__in=names)
    rows = slots.values_list("endpoint__name").annotate(n=Count("pk"), since=Min("taken_at"))
    return [LongRequests(*row) for row in rows.order_by("endpoint__name")]
