"""The background work of imports."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from webapp.jobs import services
from webapp.jobs.kinds import Kind, register
from webapp.jobs.models import Lane


def _cancel(subject: str) -> None:
    services.cancel(kind=IMPORT, subject=subject)


def _cancel_pair(subject: str) -> None:
    services.cancel(kind=LABEL_FILES, subject=subject)


def _pair_page(subject: str) -> str:
    return reverse("label_files_pair", args=subject.split("-"))


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
LABEL_FILES = register(
    Kind(
        "label_files",
        _("Study from two files of run records"),
        link=lambda job: _pair_page(job.subject),
        lane=Lane.SHORT,
        attempts=3,
        cancel=_cancel_pair,
    )
)
