"""Endpoints whose requests all fail: what is told of them while they are asked again and again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F
from django.db.models.functions import Coalesce

from benchmark.models.answers import storable
from webapp import clock
from webapp.endpoints.models import ModelEndpoint

GRACE = timedelta(seconds=3)
"""One failed request is told after this; two in a row at once."""
NEXT_WITHIN = timedelta(seconds=90)
"""Whoever asks again does so within this, after the pause that the server asked for (`patience`)."""
_LONGEST = 600


@dataclass(frozen=True, slots=True)
class Outage:
    """A model that does not answer.

    failed: requests in a row; since: of the first of them; last: why the last one got no answer. next_by: when the
    next must have come if anybody still asks, None where that is known otherwise.
    """

    endpoint: str
    failed: int
    since: datetime
    last: str
    next_by: datetime | None = None

    @property
    def retrying(self) -> bool:
        """Whether the model is still asked again and again."""
        return self.next_by is None or clock.now() < self.next_by

    @property
    def told(self) -> bool:
        """Whether it is more than a failure of the moment."""
        return self.failed > 1 or clock.now() - self.since >= GRACE


def note_failure(*, endpoint_name: str, why: str) -> None:
    """Count a request without an answer."""
    now = clock.now()
    ModelEndpoint.objects.filter(name=endpoint_name).update(
        failed_in_row=F("failed_in_row") + 1,
        failing_since=Coalesce(F("failing_since"), now),
        failed_at=now,
        last_failure=shorten_message(why),
    )


def note_answer(*, endpoint_name: str) -> None:
    """Forget the failures before an answer."""
    failing = ModelEndpoint.objects.filter(name=endpoint_name, failed_in_row__gt=0)
    failing.update(failed_in_row=0, failing_since=None, failed_at=None, last_failure="")


def shorten_message(why: str) -> str:
    """A failure's message as it is stored."""
    return storable(why)[:_LONGEST]


def outages(names: Iterable[str] | None = None) -> list[Outage]:
    """Endpoints whose requests all fail, by name; names: of those that are asked for, None for all in use."""
    failing = ModelEndpoint.objects.filter(failed_in_row__gt=0, retired=False).order_by("name")
    if names is not None:
        failing = failing.filter(name__in=list(names))
    return [outage for endpoint in failing.defer("findings") if (outage := _outage(endpoint)).told]


def _outage(endpoint: ModelEndpoint) -> Outage:
    since = endpoint.failing_since or clock.now()
    latest = max(time for time in (since, endpoint.failed_at, endpoint.not_before) if time)
    return Outage(
        endpoint.name, endpoint.failed_in_row, since, endpoint.last_failure, next_by=latest + NEXT_WITHIN
    )
