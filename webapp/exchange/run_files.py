"""Files of runs that are too large to be written while a browser waits: a worker makes them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from shutil import make_archive, rmtree

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from benchmark.exports.rows import NoParquet
from webapp import clock
from webapp.accounts.models import User
from webapp.exchange.formats import RUN_ENDINGS, write_run
from webapp.exchange.jobs import RUN_FILE
from webapp.exchange.models import RunFile
from webapp.exchange.training import TrainingOptions
from webapp.jobs import services as jobs
from webapp.jobs.kinds import retries
from webapp.jobs.models import Job
from webapp.repairs.models import Repair
from webapp.sessions.models import Run

KEEP_TIME = timedelta(days=7)
"""A file is deleted after this, when the next one is asked for; it can be made again."""
FOLDER = "folder"


def files_folder() -> Path:
    """Where they lie; made on first use."""
    folder = Path(settings.CARAVAN_DATA) / "run_files"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def file_name(file: RunFile) -> str:
    """What a browser calls it."""
    name = f"{file.run_id}.{file.repair_id}" if file.repair_id else str(file.run_id)
    return f"{name}{RUN_ENDINGS[file.format]}{'.zip' if file.format == FOLDER else ''}"


def file_path(file: RunFile) -> Path:
    """Where it is, whether it is there or not."""
    return files_folder() / f"{file.pk}-{file_name(file)}"


def start_run_file(
    *, run: Run, format_: str, pseudonyms: bool, repair: Repair | None, created_by: User
) -> RunFile:
    """Have a worker write the sessions of a run that have ended."""
    delete_old_files()
    with transaction.atomic():
        file = RunFile.objects.create(
            run=run, format=format_, pseudonyms=pseudonyms, repair=repair, created_by=created_by
        )
        jobs.add(kind=RUN_FILE, subjects=[str(file.pk)])
    jobs.hand_over(kind=RUN_FILE, subject=str(file.pk))
    return file


@retries(RUN_FILE)
def _write_again(job: Job) -> None:
    RunFile.objects.filter(pk=job.subject).update(problem="")
    jobs.enqueue(kind=RUN_FILE, subject=job.subject)


def delete_old_files() -> None:
    """Delete those that have been there for long, and files of runs that were deleted."""
    RunFile.objects.filter(created_at__lt=clock.now() - KEEP_TIME).delete()
    kept = set(RunFile.objects.values_list("pk", flat=True))
    for path in files_folder().iterdir():
        number = path.name.lstrip(".").partition("-")[0]
        if number.isdecimal() and int(number) not in kept:
            rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def write_run_file(*, subject: str, progress: Callable[[int, int], None]) -> None:
    """Make a file. progress: is called with the number of written sessions and of all.

    Raises:
        ValueError: the benchmark has no such set of training, or pyarrow is not installed.
    """
    file = RunFile.objects.select_related("run", "repair").get(pk=subject)
    if file.complete:
        return
    count = file.run.sessions.count()
    path = file_path(file)
    target = path.with_suffix("") if file.format == FOLDER else path
    if target.is_dir():  # of a worker that died
        rmtree(target)
    training = TrainingOptions(repair=file.repair)
    try:
        write_run(
            file.run,
            file.format,
            target,
            lambda done: progress(done, count),
            pseudonyms=file.pseudonyms,
            training=training,
        )
    except NoParquet:
        raise ValueError(_("Parquet needs pyarrow, which is not installed here. Take JSON lines.")) from None
    if file.format == FOLDER:
        make_archive(str(target), "zip", root_dir=target.parent, base_dir=target.name)
        rmtree(target)
    RunFile.objects.filter(pk=subject).update(complete=True)


def fail_run_file(subject: str, problem: str) -> None:
    """Say on the page of a file why there is none."""
    RunFile.objects.filter(pk=subject).update(problem=problem)
