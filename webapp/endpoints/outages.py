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

SOON = timedelta(seconds=3)
"""One failed request is told after this; two in a row at once."""
_LONGEST = 600


@dataclass(frozen=True, slots=True)
class Outage:
    """A model that does not answer. failed: requests in a row; since: of the first of them; last: why the last one
    got no answer."""

    endpoint: str
    failed: int
    since: datetime
    last: str

    @property
    def told(self) -> bool:
        """Whether it is more than a failure of the moment."""
        return self.failed > 1 or clock.now() - self.since >= SOON


def note_failure(*, endpoint_name: str, why: str) -> None:
    """Count a request without an answer."""
    ModelEndpoint.objects.filter(name=endpoint_name).update(
        failed_in_row=F("failed_in_row") + 1,
        failing_since=Coalesce(F("failing_since"), clock.now()),
        last_failure=shortened(why),
    )


def note_answer(*, endpoint_name: str) -> None:
    """Forget the failures before an answer."""
    failing = ModelEndpoint.objects.filter(name=endpoint_name, failed_in_row__gt=0)
    failing.update(failed_in_row=0, failing_since=None, last_failure="")


def shortened(why: str) -> str:
    """A failure's message as it is stored."""
    return storable(why)[:_LONGEST]


def outages(names: Iterable[str] | None = None) -> list[Outage]:
    """Endpoints whose requests all fail, by name; names: of those that are asked for, None for all in use."""
    failing = ModelEndpoint.objects.filter(failed_in_row__gt=0, retired=False).order_by("name")
    if names is not None:
        failing = failing.filter(name__in=list(names))
    rows = failing.values_list("name", "failed_in_row", "failing_since", "last_failure")
    found = [Outage(name, failed, since, last) for name, failed, since, last in rows if since]
    return [one for one in found if one.told]
