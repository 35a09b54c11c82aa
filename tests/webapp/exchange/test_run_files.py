"""Files of large runs, which a worker makes."""

from __future__ import annotations

import zipfile
from datetime import timedelta
from io import BytesIO
from pathlib import Path

import pytest
from django.test import Client

from benchmark.exports.rows import NoParquet
from webapp import clock
from webapp.accounts.models import User
from webapp.catalogue.models import Task, World
from webapp.exchange import run_files, views
from webapp.exchange.formats import write_run
from webapp.exchange.models import RunFile
from webapp.exchange.run_files import file_path, files_folder, start_run_file
from webapp.jobs.models import Job, State
from webapp.runs.services import create_run
from webapp.sessions.models import Run, Session
from webapp.sessions.services import Setup
from worker.steppers.run_files import run_file

pytestmark = pytest.mark.django_db


@pytest.fixture
def large_run(
    eventful: Session, starter_tasks: list[Task], starter_world: World, monkeypatch: pytest.MonkeyPatch
) -> Run:
    """A run of one ended session and one that is queued, more than are written while a browser waits."""
    monkeypatch.setattr(views, "MOST_DOWNLOADED", 1)
    run = create_run(
        name="<b>large</b>", tasks=starter_tasks[:1], world=starter_world, setup=Setup(), start=False
    )
    Session.objects.filter(pk=eventful.pk).update(run=run)
    return run


def asked_file(client: Client, run: Run, format_: str) -> RunFile:
    address = f"/runs/{run.pk}/export.{format_}"
    page = client.get(address)
    assert page.status_code == 200 and f'action="{address}"' in page.content.decode()
    response = client.post(address)
    file = RunFile.objects.latest("pk")
    assert response.url == file.get_absolute_url()  # type: ignore[attr-defined]
    return file


def test_a_worker_writes_the_file_that_a_small_run_would_give(
    as_researcher: Client, large_run: Run, tmp_path: Path
) -> None:
    file = asked_file(as_researcher, large_run, "jsonl")
    page = as_researcher.get(file.get_absolute_url()).content.decode()
    assert "A worker is about to make the file" in page and "<b>large" not in page
    assert run_file(str(file.pk))
    assert "Download the file" in as_researcher.get(file.get_absolute_url()).content.decode()
    download = as_researcher.get(f"/runs/files/{file.pk}/download/")
    assert f"{large_run.pk}.jsonl" in download["Content-Disposition"]
    write_run(large_run, "jsonl", tmp_path / "direct")
    assert b"".join(download.streaming_content) == (tmp_path / "direct").read_bytes()  # type: ignore[attr-defined]
    job = Job.objects.get(kind="run_file")
    assert job.state == State.DONE and job.of == 2


def test_a_folder_is_packed_and_what_a_dead_worker_left_is_written_anew(
    as_researcher: Client, large_run: Run
) -> None:
    file = asked_file(as_researcher, large_run, "folder")
    (file_path(file).with_suffix("") / "half").mkdir(parents=True)
    assert run_file(str(file.pk))
    content = b"".join(as_researcher.get(f"/runs/files/{file.pk}/download/").streaming_content)  # type: ignore[attr-defined]
    names = zipfile.ZipFile(BytesIO(content)).namelist()
    assert any(name.endswith("run.json") for name in names) and not any("half" in name for name in names)
    assert [path.name for path in files_folder().iterdir()] == [file_path(file).name]


def test_a_file_that_cannot_be_made_is_told_on_its_page(
    as_researcher: Client, large_run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_args: object, **_options: object) -> int:
        raise NoParquet

    file = asked_file(as_researcher, large_run, "parquet")
    monkeypatch.setattr(run_files, "write_run", refuse)
    assert run_file(str(file.pk))
    page = as_researcher.get(file.get_absolute_url()).content.decode()
    assert "Parquet needs pyarrow" in page and "Download" not in page
    assert as_researcher.get(f"/runs/files/{file.pk}/download/").status_code == 404
    assert Job.objects.get(kind="run_file").state == State.FAILED


def test_old_files_and_those_of_deleted_runs_go_with_the_next_one(researcher: User, large_run: Run) -> None:
    wanted = {"format_": "jsonl", "pseudonyms": False, "repair": None, "created_by": researcher}
    old = start_run_file(run=large_run, **wanted)
    run_file(str(old.pk))
    (files_folder() / "999-gone.jsonl").write_text("of a run that was deleted")
    RunFile.objects.update(created_at=clock.now() - timedelta(days=8))
    new = start_run_file(run=large_run, **wanted)
    assert list(RunFile.objects.all()) == [new] and list(files_folder().iterdir()) == []


def test_only_researchers_see_a_file(client: Client, researcher: User, large_run: Run) -> None:
    wanted = {"format_": "jsonl", "pseudonyms": False, "repair": None, "created_by": researcher}
    file = start_run_file(run=large_run, **wanted)
    run_file(str(file.pk))
    for address in ("", "live/", "download/"):
        assert client.get(f"/runs/files/{file.pk}/{address}").status_code in (302, 403)
    assert client.post(f"/runs/{large_run.pk}/export.jsonl").status_code in (302, 403)
    assert RunFile.objects.count() == 1
