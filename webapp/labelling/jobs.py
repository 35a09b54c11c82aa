"""The background work of labelling: an item that a model is asked about, and a search for weights."""

from __future__ import annotations

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from webapp import clock
from webapp.jobs import services
from webapp.jobs.kinds import Kind, register, retries, rows_of
from webapp.jobs.models import Job
from webapp.jobs.pools import Queue
from webapp.labelling.models import Compared, Comparison, LabelStudy, WeightSearch
from webapp.labelling.retention import due_studies
from webapp.people.jobs import AGAIN_AFTER
from webapp.people.retention import RETENTION


def _at_once(comparison_id: str) -> int:
    """As many as the model takes requests at once."""
    comparisons = Comparison.objects.filter(pk=comparison_id)
    return comparisons.values_list("rater__endpoint__concurrency", flat=True).first() or 0


def _study_of(comparison_id: str) -> str | None:
    """The page of raters of the study that is compared."""
    study = Comparison.objects.filter(pk=comparison_id).values_list("study", flat=True).first()
    return reverse("label_raters", args=[study]) if study else None


def _link_to_weights(job: Job) -> str:
    return reverse("label_search", args=[job.group, job.subject])


def _cancel_compared(compared_id: str) -> None:
    services.cancel(kind=COMPARISON_KIND, subject=compared_id)


def cancel_search(search_id: str) -> None:
    """Ask for the end of a search; whoever is at it leaves it within seconds."""
    WeightSearch.objects.filter(pk=search_id, ended_at=None).update(stop_requested=True)
    services.cancel(kind=WEIGHTS, subject=search_id)


def _find_removals() -> int:
    """Add jobs for studies whose annotators' data is kept no longer, and that have none; gives how many."""
    recent = Q(ended_at=None) | Q(ended_at__gt=clock.now() - AGAIN_AFTER)
    known = set(Job.objects.filter(recent, kind=LABEL_REMOVAL.name).values_list("subject", flat=True))
    due = [study.pk for study in due_studies() if study.pk not in known]
    services.add_missing(kind=LABEL_REMOVAL, subjects=due, group=RETENTION)
    return len(due)


COMPARISON_KIND = register(
    Kind(
        "comparison",
        _("Comparison by a model"),
        link=lambda job: _study_of(job.group),
        queue=Queue.JUDGING,
        at_once=_at_once,
        existing_subjects=rows_of(Compared.objects.all),
        cancel=_cancel_compared,
    )
)
"""An item of a comparison, in the group of it."""
WEIGHTS = register(
    Kind(
        "weight_search",
        _("Search for weights"),
        link=_link_to_weights,
        queue=Queue.TOOLS,
        existing_subjects=rows_of(WeightSearch.objects.all),
        cancel=cancel_search,
    )
)
"""A search, in the group of its study."""
LABEL_REMOVAL = register(
    Kind(
        "label_removal",
        _("Removal of annotators' data"),
        link=lambda job: reverse("label_study", args=[job.subject]),
        queue=Queue.SHORT,
        existing_subjects=rows_of(LabelStudy.objects.all),
        find=_find_removals,
    )
)
"""The subject is the id of a study."""


@retries(LABEL_REMOVAL)
def _remove_again(job: Job) -> None:
    services.enqueue(kind=LABEL_REMOVAL, subject=job.subject, group=job.group)
