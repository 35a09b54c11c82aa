"""Delivering to webhooks; what is not taken is tried again later, with growing pauses."""

from __future__ import annotations

import logging

from webapp import clock
from webapp.jobs import services
from webapp.jobs.services import Claim
from webapp.storage import STORAGE_ERRORS
from webapp.webhooks.attempts import attempt, fail_delivery, pause_after
from webapp.webhooks.jobs import DELIVERY
from webapp.webhooks.models import Delivery
from worker.lease_keeper import lease_keeper
from worker.outages import give_back_when_away

log = logging.getLogger(__name__)


def webhook_delivery(subject: str) -> bool:
    """Whether the job was there to be had."""
    claimed = services.claim(kind=DELIVERY, subject=subject)
    if claimed is None:
        return False
    with lease_keeper().keep_lease(claimed), give_back_when_away(claimed):
        _deliver(claimed)
    return True


def _deliver(claimed: Claim) -> None:
    pk = int(claimed.subject)
    if claimed.cancelled:
        fail_delivery(pk, "cancelled")
        services.cancelled(claimed=claimed)
        return
    if claimed.attempts > DELIVERY.attempts:
        problem = f"{DELIVERY.attempts} workers ended while they did this"
        fail_delivery(pk, problem)
        services.fail(claimed=claimed, error=problem)
        return
    try:
        outcome = attempt(pk)
    except Delivery.DoesNotExist:
        services.gone(claimed=claimed)
        return
    except STORAGE_ERRORS:
        raise
    except Exception as error:
        log.exception("delivery %s failed", pk)
        fail_delivery(pk, f"{type(error).__name__}: {error}")
        services.fail(claimed=claimed, error=str(error)[:300])
        return
    if not outcome.problem:
        services.finish(claimed=claimed)
    elif (pause := pause_after(pk)) is not None:
        services.release(claimed=claimed, due_at=clock.now() + pause)
    else:
        services.fail(claimed=claimed, error=outcome.problem)
