"""Places at an endpoint: how many requests may be on their way at once, over every worker."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import uuid4

from django.db import connection, transaction
from django.db.models import F, Q

from webapp import clock
from webapp.endpoints.models import ModelEndpoint, ModelSlot
from webapp.locks import skip_locked
from webapp.statements import update_by_text, update_rows

HOLD_TIME = timedelta(seconds=15)
LOOK_AGAIN_S = 0.25
"""A place that is taken is asked for again after this."""
LONGEST_PAUSE_S = 300.0
# One statement in place of five: every request makes it. More places than `concurrency` are taken where that was
# lowered just now; nobody takes one then.
_TAKE_SLOT = """
UPDATE {table} SET holder = %s, taken_at = %s, expires_at = %s WHERE id = (
    SELECT id FROM {table} WHERE endpoint_id = %s AND number <= %s AND (holder = '' OR expires_at < %s) AND (
        SELECT COUNT(*) FROM {table} WHERE endpoint_id = %s AND holder <> '' AND expires_at >= %s
    ) < %s ORDER BY number LIMIT 1 """


class NoPlace(Exception):
    """The endpoint takes no further request now. after_s: when to ask again.

    all_taken: others have all places of `endpoint`, and one of them may be free sooner.
    """

    def __init__(self, after_s: float, *, all_taken: bool = False, endpoint: str = "") -> None:
        super().__init__(f"no place for {after_s:.2f} s")
        self.after_s, self.all_taken, self.endpoint = after_s, all_taken, endpoint


def take_place(*, endpoint: ModelEndpoint) -> str:
    """Take a place for one request; gives back its holder's name.

    Raises:
        NoPlace: all are taken, the server asked for a pause, or the rate is used up.
    """
    endpoint.refresh_from_db(fields=["not_before", "concurrency", "requests_per_minute", "failed_in_row"])
    now = clock.now()
    if endpoint.not_before and endpoint.not_before > now:
        raise NoPlace((endpoint.not_before - now).total_seconds())
    holder = _take_free(endpoint, now)
    if holder is None:
        raise NoPlace(LOOK_AGAIN_S, all_taken=True)
    if not _within_rate(endpoint, now):
        give_back(holder=holder)
        raise NoPlace(LOOK_AGAIN_S)
    return holder


def _take_free(endpoint: ModelEndpoint, now: datetime) -> str | None:
    holder = uuid4().hex
    if _take_slot(endpoint, holder, now) or (_furnish(endpoint) and _take_slot(endpoint, holder, now)):
        return holder
    return None


def _take_slot(endpoint: ModelEndpoint, holder: str, now: datetime) -> bool:
    values = [
        *(("holder", holder), ("taken_at", now), ("expires_at", now + HOLD_TIME)),
        *(("endpoint", endpoint.pk), ("number", endpoint.concurrency), ("expires_at", now)),
        *(("endpoint", endpoint.pk), ("expires_at", now), ("number", endpoint.concurrency)),
    ]
    skip = "FOR UPDATE SKIP LOCKED" if connection.features.has_select_for_update_skip_locked else ""
    return bool(update_by_text(ModelSlot, _TAKE_SLOT + skip + ")", values))


def _furnish(endpoint: ModelEndpoint) -> bool:
    """Add the places that the endpoint lacks; whether there were any."""
    numbers = set(ModelSlot.objects.filter(endpoint=endpoint).values_list("number", flat=True))
    missing = [number for number in range(1, endpoint.concurrency + 1) if number not in numbers]
    if missing:
        ModelSlot.objects.bulk_create(
            (ModelSlot(endpoint=endpoint, number=number) for number in missing), ignore_conflicts=True
        )
    return bool(missing)


def _within_rate(endpoint: ModelEndpoint, now: datetime) -> bool:
    """Space the requests evenly: whoever moves the hand of the clock may ask."""
    if not endpoint.requests_per_minute:
        return True
    gap = timedelta(minutes=1) / endpoint.requests_per_minute
    unmoved = ModelEndpoint.objects.filter(pk=endpoint.pk, not_before=endpoint.not_before)
    with transaction.atomic():
        hand = skip_locked(unmoved).first()
        return hand is not None and bool(unmoved.update(not_before=now + gap))


def has_place(*, endpoint: str) -> bool:
    """Whether a place is free now."""
    slots = ModelSlot.objects.filter(endpoint__name=endpoint, number__lte=F("endpoint__concurrency"))
    return slots.filter(Q(holder="") | Q(expires_at__lt=clock.now())).exists()


def give_back(*, holder: str) -> None:
    """Leave a place."""
    update_rows(ModelSlot, {"holder": "", "taken_at": None, "expires_at": None}, {"holder": holder})


def keep_places(*, holders: Collection[str]) -> None:
    """Push the end of places out whose requests are still on their way."""
    ModelSlot.objects.filter(holder__in=holders).update(expires_at=clock.now() + HOLD_TIME)


def pause(*, endpoint_name: str, seconds: float) -> None:
    """Let nobody ask before the pause that the server asked for is over."""
    until = clock.now() + timedelta(seconds=min(seconds, LONGEST_PAUSE_S))
    later = Q(not_before=None) | Q(not_before__lt=until)
    ModelEndpoint.objects.filter(later, name=endpoint_name).update(not_before=until)
