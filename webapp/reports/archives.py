"""Zips of reports that a worker makes and a person downloads."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import override

from benchmark.outputs import open_output
from webapp import clock
from webapp.accounts.models import User
from webapp.jobs import services as jobs
from webapp.jobs.kinds import retries
from webapp.jobs.models import Job
from webapp.reports.archive import report_archive
from webapp.reports.folding import catch_up
from webapp.reports.jobs import ARCHIVE
from webapp.reports.models import ReportArchive
from webapp.reports.request import asked_by
from webapp.reports.selectors import report_of

KEEP_TIME = timedelta(days=7)
"""An archive is deleted after this, when the next one is asked for; it can be made again."""


def archives_folder() -> Path:
    """Where they lie; made on first use."""
    folder = Path(settings.CARAVAN_DATA) / "archives"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def archive_path(archive: ReportArchive) -> Path:
    """The file of an archive, whether it is there or not."""
    return archives_folder() / f"{archive.pk}.zip"


def start_archive(*, query: str, language: str, created_by: User) -> ReportArchive:
    """Have a worker make the archive of the report that an address names, in the words of a language."""
    delete_old_archives()
    with transaction.atomic():
        archive = ReportArchive.objects.create(query=query, language=language, created_by=created_by)
        jobs.add(kind=ARCHIVE, subjects=[str(archive.pk)])
    jobs.hand_over(kind=ARCHIVE, subject=str(archive.pk))
    return archive


@retries(ARCHIVE)
def _make_again(job: Job) -> None:
    ReportArchive.objects.filter(pk=job.subject).update(problem="")
    jobs.enqueue(kind=ARCHIVE, subject=job.subject)


def delete_old_archives() -> None:
    """Delete those that have been there for long, with their files."""
    for archive in ReportArchive.objects.filter(created_at__lt=clock.now() - KEEP_TIME):
        archive_path(archive).unlink(missing_ok=True)
        archive.delete()


def run_archive(*, subject: str, progress: Callable[[int, int], None]) -> None:
    """Make an archive. progress: is called with the number of drawn charts and of all.

    Raises:
        ValueError: the runs of the report are no longer there, or nobody has judged them who was asked for.
    """
    archive = ReportArchive.objects.get(pk=subject)
    if archive.complete:
        return
    with override(archive.language):
        asked = asked_by(QueryDict(archive.query))
        if not asked.runs or asked.problems:
            raise ValueError(" ".join(asked.problems) or _("There is no run to report on."))
        catch_up(asked.runs)
        report = report_of(asked.runs, asked.profile, asked.judges, published=asked.published)
        if lacking := asked.lacking_judge(report.pair):
            raise ValueError(" ".join(lacking))
        content, notes = report_archive(report, progress)
        with open_output(archive_path(archive)) as file:
            file.write(content)
        ReportArchive.objects.filter(pk=subject).update(complete=True, warnings=notes.warnings)


def fail_archive(subject: str, problem: str) -> None:
    """Say on the archive's page why there is none."""
    ReportArchive.objects.filter(pk=subject).update(problem=problem)
