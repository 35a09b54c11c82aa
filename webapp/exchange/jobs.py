"""The background work of imports."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from webapp.jobs import services
from webapp.jobs.kinds import Kind, register
from webapp.jobs.models import Lane


def _cancel(subject: str) -> None:
    services.cancel(kind=IMPORT, subject=subject)


IMPORT = register(
    Kind(
        "record_import",
        _("Import of run records"),
        link=lambda job: reverse("record_import", args=[job.subject]),
        lane=Lane.SHORT,
        attempts=3,
        cancel=_cancel,
    )
)
