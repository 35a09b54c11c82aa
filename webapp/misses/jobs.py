"""The background work of misses: models that name groups."""

from __future__ import annotations

from collections.abc import Mapping

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from webapp.jobs import services
from webapp.jobs.kinds import Kind, register, rows_of
from webapp.jobs.models import Job
from webapp.misses.models import GroupNaming


def _page(job: Job) -> str | None:
    run = GroupNaming.objects.filter(pk=job.subject).values_list("run", flat=True).first()
    return f"{reverse('run_misses', args=[run])}#names" if run else None


def _cancel(subject: str) -> None:
    services.cancel(kind=GROUP_NAMING, subject=subject)


def _limits() -> Mapping[str, int]:
    """One at a time over each model."""
    groups = services.open_jobs(GROUP_NAMING).order_by().values_list("group", flat=True).distinct()
    return dict.fromkeys(groups, 1)


GROUP_NAMING = register(
    Kind(
        "group-naming",
        _("Names for groups of failures"),
        link=_page,
        limits=_limits,
        begins=lambda group: 1,
        existing_subjects=rows_of(GroupNaming.objects.all),
        cancel=_cancel,
    )
)
"""The naming of a run's groups, in the group of its model."""
