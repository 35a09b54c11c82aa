"""The background work on judgements: one job each, in the group of its batch."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from webapp.jobs import services
from webapp.jobs.kinds import Kind, register, rows_of
from webapp.jobs.pools import Queue
from webapp.judging.models import JudgeBatch, Judgement


def _at_once(batch_id: str) -> int:
    """As many as the judge, or the meta-judge, takes requests at once."""
    batches = JudgeBatch.objects.filter(pk=batch_id)
    return max(batches.values_list("judge__concurrency", "meta_judge__concurrency").first() or (0,))


def _cancel(judgement_id: str) -> None:
    services.cancel(kind=JUDGEMENT, subject=judgement_id)


JUDGEMENT = register(
    Kind(
        "judgement",
        _("Judgement"),
        link=lambda job: reverse("judge_batch", args=[job.group]),
        queue=Queue.JUDGING,
        at_once=_at_once,
        existing_subjects=rows_of(Judgement.objects.all),
        cancel=_cancel,
    )
)
