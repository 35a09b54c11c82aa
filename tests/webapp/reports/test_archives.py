"""A zip that is asked for on the page of a report, made by a worker, and downloaded."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from webapp import clock
from webapp.accounts.models import User
from webapp.jobs.models import Job, State
from webapp.reports.archive import report_archive
from webapp.reports.archives import archive_path, start_archive
from webapp.reports.models import ReportArchive
from webapp.reports.selectors import report_of
from webapp.sessions.models import Run
from worker.steppers import report_archives

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def without_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.reports.archive.matplotlib_is_here", lambda: False)


def asked_archive(client: Client, query: str) -> ReportArchive:
    response = client.post(f"/reports/archives/?{query}")
    assert response.status_code == 302
    archive = ReportArchive.objects.get()
    assert response.url == archive.get_absolute_url()  # type: ignore[attr-defined]
    return archive


def page_of(client: Client, archive: ReportArchive) -> str:
    return client.get(archive.get_absolute_url()).content.decode()


def test_a_worker_makes_the_zip_that_the_command_writes(as_researcher: Client, played_run: Run) -> None:
    report_page = as_researcher.get(f"/reports/?runs={played_run.pk}").content.decode()
    assert f'action="/reports/archives/?runs={played_run.pk}&amp;profile=published"' in report_page
    archive = asked_archive(as_researcher, f"runs={played_run.pk}&profile=published")
    assert "A worker is about to make the zip" in page_of(as_researcher, archive)
    assert report_archives.report_archive(str(archive.pk))
    page = page_of(as_researcher, archive)
    assert "Download the zip" in page and "requirements-figures.txt" in page
    file = as_researcher.get(f"/reports/archives/{archive.pk}/paper.zip")
    expected, _notes = report_archive(report_of([played_run], "published"))
    assert b"".join(file.streaming_content) == expected  # type: ignore[attr-defined]
    assert Job.objects.get(kind="report_archive").state == State.DONE


def test_a_run_that_is_gone_is_told_on_the_page(as_researcher: Client, played_run: Run) -> None:
    archive = asked_archive(as_researcher, f"runs={played_run.pk}")
    ReportArchive.objects.update(query="runs=nobody")
    assert report_archives.report_archive(str(archive.pk))
    page = page_of(as_researcher, archive)
    assert "There is no run nobody." in page and "Download" not in page
    assert as_researcher.get(f"/reports/archives/{archive.pk}/paper.zip").status_code == 404
    assert Job.objects.get(kind="report_archive").state == State.FAILED


def test_only_a_report_that_there_is_becomes_a_zip(as_researcher: Client, played_run: Run) -> None:
    assert as_researcher.post("/reports/archives/?runs=nobody").status_code == 404
    assert as_researcher.get(f"/reports/archives/?runs={played_run.pk}").status_code == 405
    assert not ReportArchive.objects.exists()


def test_an_old_zip_is_deleted_when_the_next_one_is_asked_for(researcher: User, played_run: Run) -> None:
    query = f"runs={played_run.pk}"
    old = start_archive(query=query, language="en", created_by=researcher)
    report_archives.report_archive(str(old.pk))
    path = archive_path(old)
    assert path.exists()
    ReportArchive.objects.update(created_at=clock.now() - timedelta(days=8))
    new = start_archive(query=query, language="en", created_by=researcher)
    assert not path.exists() and list(ReportArchive.objects.all()) == [new]
