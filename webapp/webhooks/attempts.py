"""How deliveries go on: each attempt, and when the next one is."""

from __future__ import annotations

from datetime import timedelta

import orjson
from django.utils.translation import gettext as _

from webapp import clock
from webapp.forms import ChoiceRefused
from webapp.webhooks.models import Delivery
from webapp.webhooks.sending import Outcome, send

PAUSES = (
    *(timedelta(seconds=10), timedelta(minutes=1), timedelta(minutes=5)),
    *(timedelta(minutes=30), timedelta(hours=2), timedelta(hours=6)),
)
"""Between attempts; after the last one a delivery has failed."""


def attempt(pk: int) -> Outcome:
    """Try to deliver, and keep how it went. An address that is refused is told as a problem, too."""
    delivery = Delivery.objects.select_related("webhook__user").get(pk=pk)
    webhook, body = delivery.webhook, orjson.dumps(delivery.content)
    try:
        if not (webhook.user.is_active and webhook.user.is_researcher):
            raise ChoiceRefused(_("Whoever made this webhook is no researcher here any more."), "url")
        outcome = send(url=webhook.url, secret=webhook.secret, topic=delivery.topic, delivery=pk, body=body)
    except ChoiceRefused as refusal:
        outcome = Outcome(None, str(refusal)[:300])
    tried = delivery.attempts + 1
    status = Delivery.Status.WAITING
    if not outcome.problem:
        status = Delivery.Status.DELIVERED
    elif tried > len(PAUSES):
        status = Delivery.Status.FAILED
    Delivery.objects.filter(pk=pk).update(
        status=status,
        attempts=tried,
        status_code=outcome.status_code,
        problem=outcome.problem,
        tried_at=clock.now(),
    )
    return outcome


def pause_after(pk: int) -> timedelta | None:
    """How long to wait before the next attempt; None where there is none."""
    status, tried = Delivery.objects.values_list("status", "attempts").get(pk=pk)
    return PAUSES[tried - 1] if status == Delivery.Status.WAITING and 0 < tried <= len(PAUSES) else None


def fail_delivery(pk: int, problem: str) -> None:
    """Give a delivery up."""
    Delivery.objects.filter(pk=pk).update(
        status=Delivery.Status.FAILED, problem=problem[:300], tried_at=clock.now()
    )
