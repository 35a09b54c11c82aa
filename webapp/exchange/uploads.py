"""Files of run records that were sent in: kept until a worker has read them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction

from benchmark.outputs import open_output
from webapp.accounts.models import User
from webapp.exchange.imports import Choice, RecordFileError, clear, import_records, incoming_of
from webapp.exchange.jobs import IMPORT
from webapp.fields import readable_id
from webapp.jobs import services as jobs
from webapp.sessions.models import RecordImport


def uploads_folder() -> Path:
    """Where files wait; made on first use."""
    folder = Path(settings.CARAVAN_DATA) / "imports"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def kept_upload(upload: UploadedFile[Any]) -> Path:
    """A copy of a file that was sent in, under a name of our own; it is packed if its name says so."""
    ending = ".jsonl.gz" if str(upload.name).endswith(".gz") else ".jsonl"
    path = uploads_folder() / f"{readable_id(12)}{ending}"
    with open_output(path) as copy:
        for piece in upload.chunks():
            copy.write(piece)
    return path


def start_import(*, upload: UploadedFile[Any], choice: Choice, created_by: User) -> RecordImport:
    """Keep the file, and have a worker bring it in."""
    path = kept_upload(upload)
    with transaction.atomic():
        incoming = incoming_of(name=str(upload.name), choice=choice, created_by=created_by, file=path.name)
        jobs.add(kind=IMPORT, subjects=[str(incoming.pk)])
    jobs.hand_over(kind=IMPORT, subject=str(incoming.pk))
    return incoming


@contextmanager
def named_as_sent(files: Iterable[RecordImport]) -> Iterator[None]:
    """Where a file can't be read, call it what its sender calls it, not what it is kept as.

    Raises ValueError in place of OSError.
    """
    try:
        yield
    except (ValueError, OSError) as error:
        words = str(error)
        for file in files:
            words = words.replace(str(uploads_folder() / file.file), file.name)
        if words == str(error):
            raise
        raise ValueError(words) from error


def run_import(*, subject: str, progress: Callable[[int], None]) -> None:
    """Bring in what a person has sent; what is wrong with its lines stands on the row of the import."""
    incoming = RecordImport.objects.select_related("tasks").get(pk=subject)
    if incoming.complete:
        return
    choice, path = Choice(**incoming.choice), uploads_folder() / incoming.file
    try:
        with named_as_sent([incoming]):
            import_records(
                read=choice.records.stream(path), choice=choice, incoming=incoming, progress=progress
            )
    except RecordFileError as error:
        listed = [[problem.line, problem.field, problem.message] for problem in error.problems.problems]
        refused = {"problems": listed, "problem_count": error.problems.count}
        RecordImport.objects.filter(pk=subject).update(refusal="lines", **refused)
    path.unlink(missing_ok=True)


def fail_import(subject: str, problem: str) -> None:
    """Say on the import's page why nothing came in."""
    incoming = RecordImport.objects.select_related("tasks").get(pk=subject)
    clear(incoming)
    RecordImport.objects.filter(pk=subject).update(refusal=problem)
    (uploads_folder() / incoming.file).unlink(missing_ok=True)
