"""Requests that may be sent twice: the same key with the same fields is answered as the first time, for a day."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import timedelta

from django.db import IntegrityError
from django.http import HttpResponse
from django.utils.translation import gettext as _

from webapp import clock
from webapp.accounts.models import User
from webapp.api.models import LONGEST_KEY, RunRequest
from webapp.apis import Refusal
from webapp.sessions.models import Run

KEY_HEADER = "Idempotency-Key"
REPEATED_HEADER = "Idempotency-Replayed"
"""A header of answers that were given before."""
KEY_LIFETIME = timedelta(days=1)
Starting = Callable[[Callable[[Run], object]], Run]
"""Starts a run; what it is given is called with the run in the transaction that stores it."""


def start_once(
    *, user: User, key: str, body: str, start: Starting, tell: Callable[[Run], str]
) -> HttpResponse:
    """The answer to a request that starts a run. key: "" where it may start one each time it is sent. body: the
    fields that were sent, always in the same order. tell: the answer, as JSON.

    Raises:
        Refusal: the key is none, or was sent with other fields; or `start` refuses, and then nothing is kept.
    """
    if not key:
        return _answer(start(lambda run: None), tell)
    if len(key) > LONGEST_KEY or not (key.isascii() and key.isprintable()):
        words = _("The key has 1 to %(most)s visible ASCII characters, such as those of a UUID.")
        raise Refusal(422, "unfit", words % {"most": LONGEST_KEY}, where=KEY_HEADER)
    body_hash = hashlib.sha256(body.encode()).hexdigest()
    RunRequest.objects.filter(created_at__lt=clock.now() - KEY_LIFETIME).delete()
    if (before := _before(user, key, body_hash)) is not None:
        return _repeat_answer(before, tell)

    def keep(run: Run) -> None:
        RunRequest.objects.create(user=user, key=key, body_hash=body_hash, run=run)

    try:
        run = start(keep)
    except IntegrityError:  # the same was sent at the same time, and stored first
        before = _before(user, key, body_hash)
        if before is None:
            raise
        return _repeat_answer(before, tell)
    response = _answer(run, tell)
    RunRequest.objects.filter(user=user, key=key).update(answer=response.content.decode())
    return response


def _before(user: User, key: str, body_hash: str) -> RunRequest | None:
    row = RunRequest.objects.filter(user=user, key=key).select_related("run").first()
    if row is not None and row.body_hash != body_hash:
        words = _(
            "Another run was started with this key, from other fields. Send a new key for another run, or the same "
            "fields to learn of the first."
        )
        raise Refusal(422, "reused", words, where=KEY_HEADER)
    return row


def _repeat_answer(row: RunRequest, tell: Callable[[Run], str]) -> HttpResponse:
    if not row.answer and row.run is None:
        raise Refusal(
            404, "unknown", _("The run that was started with this key has been deleted."), where=KEY_HEADER
        )
    response = _response(row.run_id, row.answer or tell(row.run))  # type: ignore[arg-type]  # one of both is there
    response[REPEATED_HEADER] = "true"
    return response


def _answer(run: Run, tell: Callable[[Run], str]) -> HttpResponse:
    return _response(run.pk, tell(run))


def _response(run: str | None, answer: str) -> HttpResponse:
    response = HttpResponse(answer, content_type="application/json", status=201)
    if run is not None:
        response["Location"] = f"/api/v1/runs/{run}"
    return response
