"""Archives of ended sessions: the log reads as before, from a file; and nothing that was removed stays in one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client
from pytest_django import Settings

from sandbox.filestore import StoreAway
from tests.threads import start_in_thread
from webapp.files.models import StoredFile
from webapp.jobs.models import Job, State
from webapp.sessions import archive_files
from webapp.sessions.archive_files import BrokenArchive, archive_path, write_archive
from webapp.sessions.archiving import ARCHIVE, archivable_sessions, archive_session, bring_back
from webapp.sessions.log import read_log
from webapp.sessions.models import Event, Session, SessionArchive, Status
from worker.steppers import STEPPERS

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def finished_session(recorded_session: Callable[..., Session]) -> Session:
    """An ended session with calls of tools."""
    return recorded_session("easy")


@pytest.fixture
def folder(settings: Settings, tmp_path: Path) -> Path:
    """An empty data folder of this test."""
    settings.CARAVAN_DATA = tmp_path
    archive_files._read.cache_clear()
    return tmp_path


def page_of(client: Client, address: str) -> str:
    """The page of a session, without what is another one each time."""
    answer = client.get(address)
    assert answer.status_code == 200
    return re.sub(
        r'(nonce|csrfmiddlewaretoken|value|hx-headers)=("[^"]*"|\'[^\']*\')', "", answer.content.decode()
    )


def raw_payloads(session: Session) -> list[str]:
    """The texts that the database has in place of payloads of tools' answers."""
    with_texts = Event.objects.filter(session=session, type="tool_returned").extra(select={"text": "payload"})
    return list(with_texts.order_by("seq").values_list("text", flat=True))


def test_an_archived_log_reads_as_before_and_comes_back(finished_session: Session, folder: Path) -> None:
    before, texts = list(read_log(finished_session)), raw_payloads(finished_session)
    assert archive_session(finished_session.pk) == len(texts) > 0
    assert all('"@archive"' in text for text in raw_payloads(finished_session))
    assert sum(map(len, raw_payloads(finished_session))) < sum(map(len, texts)) / 2
    assert list(read_log(finished_session)) == before
    assert [row.payload for row in finished_session.events.order_by("seq")] == [
        event.body.model_dump(mode="json", exclude={"type"}) for event in before
    ]
    assert archive_session(finished_session.pk) == 0, "once is enough"

    assert bring_back(finished_session.pk) == len(texts)
    assert raw_payloads(finished_session) == texts
    assert not archive_path(finished_session.pk).exists() and not SessionArchive.objects.exists()


def test_its_page_tells_of_it_and_says_so_if_the_file_is_lost_or_changed(
    as_researcher: Client, finished_session: Session, folder: Path
) -> None:
    address = finished_session.get_absolute_url()
    before = page_of(as_researcher, address)
    archive_session(finished_session.pk)
    call = Event.objects.filter(session=finished_session, type="tool_returned").values_list("seq", flat=True)[
        0
    ]
    page = page_of(as_researcher, address)
    note = re.search(r"\s*·\s*<span class=\"mode archived\".*?</span>", page, re.DOTALL)
    assert note is not None
    assert re.sub(r"\s+", "", page.replace(note[0], "")) == re.sub(r"\s+", "", before)

    path = archive_path(finished_session.pk)
    data = path.read_bytes()
    for damaged in (None, data[:-1] + b"x"):
        archive_files._read.cache_clear()
        path.unlink() if damaged is None else path.write_bytes(damaged)
        with pytest.raises(BrokenArchive, match="bring it back from a backup"):
            Event.objects.get(session=finished_session, seq=call)
    path.write_bytes(data)
    archive_files._read.cache_clear()
    assert Event.objects.get(session=finished_session, seq=call).payload


def test_the_worker_archives_what_ended_long_enough_ago(
    finished_session: Session, folder: Path, settings: Settings
) -> None:
    assert ARCHIVE.find is not None
    assert not ARCHIVE.find(), "never by default"
    settings.CARAVAN_ARCHIVE_AFTER = 30
    assert not ARCHIVE.find() and not Job.objects.filter(kind="archive").exists()
    Session.objects.update(finished_at="2020-01-01T00:00Z")
    assert ARCHIVE.find() == 1
    STEPPERS["archive"]("sessions")
    assert Job.objects.get(kind="archive").state == State.DONE
    assert archive_path(finished_session.pk).exists() and not ARCHIVE.find()


def test_a_running_session_is_left_alone(finished_session: Session, folder: Path) -> None:
    Session.objects.update(status=Status.RUNNING)
    assert not archivable_sessions(0) and archive_session(finished_session.pk) == 0


def test_a_full_disk_changes_nothing(finished_session: Session, settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "archives").write_text("no folder")
    settings.CARAVAN_DATA = tmp_path
    texts = raw_payloads(finished_session)
    with pytest.raises(StoreAway, match="can't be written"):
        archive_session(finished_session.pk)
    assert raw_payloads(finished_session) == texts and not SessionArchive.objects.exists()


def test_other_hosts_read_it_from_the_store_and_a_deleted_session_leaves_none(
    finished_session: Session, folder: Path, settings: Settings
) -> None:
    settings.CARAVAN_PACKS = "database"
    before = list(read_log(finished_session))
    archive_session(finished_session.pk)
    archive_files._read.cache_clear()
    assert not archive_path(finished_session.pk).exists(), "the store alone has it"
    settings.CARAVAN_DATA = folder / "other"
    assert list(read_log(finished_session)) == before
    SessionArchive.objects.get().delete()
    assert not list(folder.rglob("*.xz")) and not StoredFile.objects.exists()


def test_the_command_says_what_it_moved(finished_session: Session, folder: Path, capsys: Any) -> None:
    count = Event.objects.filter(session=finished_session, type="tool_returned").count()
    call_command("archive_sessions", "--older-than", "0")
    call_command("archive_sessions", "--bring-back")
    told = capsys.readouterr().out.split("\n")
    assert told[:2] == [f"archived 1 sessions, {count} events", f"brought back 1 sessions, {count} events"]
    with pytest.raises(CommandError, match="give a number of days, 0 or more"):
        call_command("archive_sessions", "--older-than", "-1")


@pytest.mark.both_engines
def test_what_is_being_erased_gets_into_no_archive(finished_session: Session, folder: Path) -> None:
    event = Event.objects.filter(session=finished_session, type="tool_returned").order_by("seq")[0]
    with transaction.atomic():
        write_archive(finished_session.pk, {event.seq: "left by a process that was killed"})
        assert bring_back(finished_session.pk) == 0, "it is not archived yet"
        assert not list(folder.rglob("*.xz"))
        event.payload = {**event.payload, "result": "erased"}
        event.save(update_fields=["payload"])
        archiving = start_in_thread(lambda: archive_session(finished_session.pk))
        archiving.join(0.3)
    archiving.join()
    event.refresh_from_db()
    assert event.payload["result"] == "erased"
