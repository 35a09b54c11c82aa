"""The background work of repairs."""

from __future__ import annotations

from collections.abc import Mapping

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from webapp.jobs import services
from webapp.jobs.kinds import Kind, register, rows_of
from webapp.jobs.models import Job
from webapp.repairs.models import Repair


def _page(job: Job) -> str | None:
    run = Repair.objects.filter(pk=job.subject).values_list("run", flat=True).first()
    return reverse("repair", args=[run, job.subject]) if run else None


def _cancel(subject: str) -> None:
    services.cancel(kind=REPAIR, subject=subject)


def _limits() -> Mapping[str, int]:
    """One at a time over each model, whose places it fills."""
    groups = services.open_jobs(REPAIR).order_by().values_list("group", flat=True).distinct()
    return dict.fromkeys(groups, 1)


REPAIR = register(
    Kind(
        "repair",
        _("Repair of a run"),
        link=_page,
        limits=_limits,
        begins=lambda group: 1,
        existing_subjects=rows_of(Repair.objects.all),
        cancel=_cancel,
    )
)
"""A repair, in the group of its model."""
