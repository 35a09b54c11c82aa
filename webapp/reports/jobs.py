"""The background work of reports."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from webapp.jobs import services
from webapp.jobs.kinds import Kind, register, rows_of
from webapp.jobs.pools import Queue
from webapp.reports.models import ReportArchive


def _cancel(subject: str) -> None:
    services.cancel(kind=ARCHIVE, subject=subject)


ARCHIVE = register(
    Kind(
        "report_archive",
        _("Figures and tables for a paper"),
        link=lambda job: reverse("report_archive", args=[job.subject]),
        queue=Queue.SHORT,
        attempts=3,
        existing_subjects=rows_of(ReportArchive.objects.all),
        cancel=_cancel,
    )
)
