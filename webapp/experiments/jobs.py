"""The background work of experiments."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from webapp.experiments.models import Experiment
from webapp.jobs import services
from webapp.jobs.kinds import Kind, register, rows_of
from webapp.jobs.models import Job
from webapp.jobs.pools import Queue


def _page(job: Job) -> str | None:
    experiment = Experiment.objects.only("session", "seq").filter(pk=job.subject).first()
    return experiment.get_absolute_url() if experiment else None


def _cancel(subject: str) -> None:
    services.cancel(kind=EXPERIMENT, subject=subject)


EXPERIMENT = register(
    Kind(
        "experiment",
        _("Request that is asked again"),
        link=_page,
        queue=Queue.SHORT,
        existing_subjects=rows_of(Experiment.objects.all),
        cancel=_cancel,
    )
)
