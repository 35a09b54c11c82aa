"""The background work of making tasks: a preview, for which a person waits, and the whole set."""

from __future__ import annotations

from collections.abc import Mapping

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from webapp.jobs import services
from webapp.jobs.kinds import Kind, register, rows_of
from webapp.jobs.models import Job
from webapp.jobs.pools import Queue
from webapp.synthesis.models import TaskSynthesis


def _page(job: Job) -> str:
    return reverse("synthesis", args=[job.subject])


def _cancel_preview(subject: str) -> None:
    services.cancel(kind=PREVIEW, subject=subject)


def _cancel_set(subject: str) -> None:
    services.cancel(kind=SET, subject=subject)


def _limits() -> Mapping[str, int]:
    """One set at a time of those by the sampler, which take every processor, and one over each model."""
    groups = services.open_jobs(SET).order_by().values_list("group", flat=True).distinct()
    return dict.fromkeys(groups, 1)


PREVIEW = register(
    Kind(
        "task_preview",
        _("Preview of tasks"),
        link=_page,
        queue=Queue.SHORT,
        existing_subjects=rows_of(TaskSynthesis.objects.all),
        cancel=_cancel_preview,
    )
)
SET = register(
    Kind(
        "task_set",
        _("Tasks"),
        link=_page,
        queue=Queue.TOOLS,
        limits=_limits,
        begins=lambda group: 1,
        existing_subjects=rows_of(TaskSynthesis.objects.all),
        cancel=_cancel_set,
    )
)
"""A set of tasks, in the group of the model that writes it, or of the sampler."""
