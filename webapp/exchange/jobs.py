"""The background work of imports and exports."""

from __future__ import annotations

from collections.abc import Collection

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from webapp.exchange.models import RunFile
from webapp.jobs import services
from webapp.jobs.kinds import Kind, register, rows_of
from webapp.jobs.pools import Queue
from webapp.sessions.models import RecordImport


def _cancel(subject: str) -> None:
    services.cancel(kind=IMPORT, subject=subject)


def _cancel_pair(subject: str) -> None:
    services.cancel(kind=LABEL_FILES, subject=subject)


def _pair_page(subject: str) -> str:
    return reverse("label_files_pair", args=subject.split("-"))


def _known_pairs(subjects: Collection[str]) -> set[str]:
    files = {part for subject in subjects for part in subject.split("-")}
    known = rows_of(RecordImport.objects.all)(files)
    return {subject for subject in subjects if known.issuperset(subject.split("-"))}


def _cancel_file(subject: str) -> None:
    services.cancel(kind=RUN_FILE, subject=subject)


IMPORT = register(
    Kind(
        "record_import",
        _("Import of run records"),
        link=lambda job: reverse("record_import", args=[job.subject]),
        queue=Queue.SHORT,
        attempts=3,
        existing_subjects=rows_of(RecordImport.objects.all),
        cancel=_cancel,
    )
)
LABEL_FILES = register(
    Kind(
        "label_files",
        _("Study from two files of run records"),
        link=lambda job: _pair_page(job.subject),
        queue=Queue.SHORT,
        attempts=3,
        existing_subjects=_known_pairs,
        cancel=_cancel_pair,
    )
)
RUN_FILE = register(
    Kind(
        "run_file",
        _("File of a run"),
        link=lambda job: reverse("run_file", args=[job.subject]),
        queue=Queue.SHORT,
        attempts=3,
        existing_subjects=rows_of(RunFile.objects.all),
        cancel=_cancel_file,
    )
)
