"""Published run records become sessions: shown once all are in, scored and exported as they came."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db.models.signals import pre_delete
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmark.core.events import MessagePosted, ToolReturned
from benchmark.inputs import LineProblem
from benchmark.suites import suite_named
from benchmark.suites.base import RecordLine
from benchmark.suites.grouptravel.events import CompromiseApplied
from tests.properties import examples
from tests.webapp.conftest import HOSTILE
from tests.webapp.exchange.records import foreign, places, write_records
from webapp.cassettes.selectors import recorded_in
from webapp.catalogue.models import Task, TaskCollection, TaskImport
from webapp.catalogue.starter import load_starter_tasks
from webapp.exchange import imports
from webapp.exchange.imports import Choice, import_records, incoming_of
from webapp.sessions.log import read_log
from webapp.sessions.models import RecordImport, Run, Session
from webapp.sessions.panels import panels_of
from webapp.sessions.scoring import record_line, rescore
from webapp.sessions.selectors import sessions
from worker.steppers.imports import record_import

pytestmark = [pytest.mark.django_db, pytest.mark.either_engine]


def imported_run(file: Path, *options: str) -> Run:
    out = StringIO()
    call_command("import_records", file, *options, "--json", stdout=out)
    return Run.objects.get(pk=json.loads(out.getvalue())["run"])


def import_refusal(file: Path, *options: str) -> str:
    with pytest.raises(CommandError) as refusal:
        call_command("import_records", file, *options)
    assert refusal.value.returncode == 2
    return str(refusal.value)


def rows() -> list[int]:
    kinds = (
        Session.staged_too,
        Task.staged_too,
        TaskImport.objects,
        TaskCollection.objects,
        RecordImport.objects,
    )
    return [kind.count() for kind in kinds]


@pytest.fixture
def run(data: Path) -> Run:
    file = write_records(data / "theirs.jsonl", foreign())
    return imported_run(file, "--catalogue", str(places(data)), "--agent", "planner-9")


def test_a_foreign_record_is_told_by_events(run: Run) -> None:
    session = run.sessions.get()
    bodies = [event.body for event in read_log(session)]
    said = [body for body in bodies if isinstance(body, MessagePosted)]
    assert [(one.role, one.opening, one.has_plan) for one in said] == [
        ("User1", True, False),
        ("User1", False, False),
        ("Agent", False, True),
    ]
    assert [(one.result, one.error) for one in bodies if isinstance(one, ToolReturned)] == [
        ('{"pois": []}', False),
        ("Fehler", True),
    ]
    (compromise,) = (body for body in bodies if isinstance(body, CompromiseApplied))
    assert (compromise.path, compromise.was, compromise.value) == (
        "global_constraints.avg_budget",
        900.0,
        1200,
    )
    assert (session.trial_id, session.agent, session.completion_reason) == (3, "planner-9", "plan_generated")
    assert session.world is None and session.imported and recorded_in(session) == ""


def test_every_part_of_its_page_shows(run: Run, as_researcher: Client) -> None:
    session = run.sessions.get()
    assert rescore(session_id=session.pk)
    for name in panels_of(session.suite):
        page = as_researcher.get(reverse("session", args=[session.pk]), {"tab": name})
        assert page.status_code == 200
        assert HOSTILE not in page.content.decode()
    for address in (
        session.task.get_absolute_url(),
        run.get_absolute_url(),
        reverse("sessions"),
        reverse("runs"),
    ):
        page = as_researcher.get(address)
        assert page.status_code == 200 and "planner-9" in page.content.decode()


@pytest.mark.parametrize("day", ["0000-01-01", "0001-01-01", "0999-12-31", "9999-12-31", "10000-01-01"])
def test_a_record_at_the_calendars_ends_is_scored_and_shown(
    day: str, data: Path, as_researcher: Client
) -> None:
    record = foreign(time=day)
    record["conversation_history"][-1]["content"] = record["conversation_history"][-1]["content"].replace(
        "2026-03-27", day
    )
    run = imported_run(write_records(data / "theirs.jsonl", record), "--catalogue", str(places(data)))
    session = run.sessions.get()
    assert rescore(session_id=session.pk)
    addresses = [
        session.task.get_absolute_url(),
        run.get_absolute_url(),
        f"{reverse('sessions')}?sort=leaves",
        f"{reverse('reports')}?runs={run.pk}",
        reverse("session_record", args=[session.pk]),
        reverse("session_fork", args=[session.pk]),
        *(f"{session.get_absolute_url()}?tab={name}" for name in panels_of(session.suite)),
    ]
    answers = {address: as_researcher.get(address).status_code for address in addresses}
    assert {address: code for address, code in answers.items() if code >= 500 or code == 404} == {}
    score = ["score", data / "theirs.jsonl", "--catalogue", places(data), "--out", data / "scores.jsonl"]
    for command in (["report", run.pk], ["export_session", session.pk], score):
        call_command(*command, stdout=StringIO())


def test_its_task_is_found_by_sessions_and_offered_to_nobody(run: Run) -> None:
    task = run.sessions.get().task
    assert not Task.objects.filter(pk=task.pk).exists()
    assert list(sessions(task="theirs/1")) == list(run.sessions.all())
    assert (task.cities, task.size, task.query) == ([], 2, "杭州市，1天，2人的旅行计划")


def test_the_record_goes_out_as_it_came_in(run: Run, data: Path, as_researcher: Client) -> None:
    session = run.sessions.get()
    line = (data / "theirs.jsonl").read_bytes()
    assert record_line(session) == line
    assert as_researcher.get(reverse("session_record", args=[session.pk])).content == line
    call_command("export_session", session.pk, "--out", data / "out.jsonl")
    assert (data / "out.jsonl").read_bytes() == line


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.sampled_from(sorted(foreign()))


@given(st.dictionaries(st.text() | FIELDS, JSON, max_size=6))
@settings(
    max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_record_that_is_taken_survives_the_round_trip(data: Path, changes: dict[str, Any]) -> None:
    path = write_records(data / "any.jsonl", foreign() | changes | {"task_id": "any"})
    records = suite_named("grouptravel").records
    assert records is not None
    (line,) = records.stream(path)
    if isinstance(line, LineProblem):
        return
    choice = Choice(run="any", collection="any", places="none.places.json")
    incoming = incoming_of(name="any", choice=choice)
    try:
        done = import_records(read=[line], choice=choice, incoming=incoming)
    except imports.RecordFileError:
        return
    assert (
        json.loads(record_line(done.run.sessions.get())) == json.loads(path.read_text()) or "NaN" in line.text
    )


def test_nobody_sees_sessions_before_all_are_in(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "RECORDS_AT_ONCE", 2)
    lines = [
        RecordLine(number, json.dumps(record), record)
        for number, record in enumerate((foreign(trial_id=0) for _ in range(5)), 1)
    ]
    seen: list[tuple[int, int]] = []

    def watched_lines() -> Iterator[RecordLine]:
        for line in lines:
            seen.append((Session.staged_too.count(), Session.objects.count() + Run.objects.count()))
            yield line

    choice = Choice(run="five", collection="five", places="none.places.json")
    done = import_records(
        read=watched_lines(), choice=choice, incoming=incoming_of(name="five", choice=choice)
    )
    assert seen[-1] == (2, 0)
    assert sorted(done.run.sessions.values_list("trial_id", flat=True)) == [0, 1, 2, 3, 4]
    assert done.run.trials == 5


def test_a_file_with_bad_lines_changes_nothing(data: Path, starter_tasks: list[Task]) -> None:
    load_starter_tasks()  # those of all benchmarks, as a command does
    before = rows()
    bad = [
        foreign(),
        {**foreign(), "user_names": "User1"},
        foreign("a//b"),
        foreign("starter_02"),
        foreign(user_names=["x" * 80]),
    ]
    file = data / "bad.jsonl"
    write_records(file, *bad)
    with file.open("ab") as more:
        more.write(b'{"task_id": \xff}\n')
    told = import_refusal(file, "--catalogue", str(places(data)))
    for line, field in ((2, "user_names"), (3, "task_id"), (4, "query"), (5, "user_names")):
        assert f"line {line}, {field}: " in told
    assert "line 6: not UTF-8" in told
    assert rows() == before
    assert "name the world" in import_refusal(write_records(file, foreign()))
    assert rows() == before


def test_what_a_killed_import_left_goes_with_the_next(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "clear", lambda incoming: None)
    monkeypatch.setattr(imports, "RECORDS_AT_ONCE", 1)

    def broken_lines() -> Iterator[RecordLine]:
        yield RecordLine(1, "{}", foreign())
        yield RecordLine(2, "{}", foreign("theirs/2"))
        raise OSError("the disk is gone")

    choice = Choice(run="dead", collection="dead", places="none.places.json")
    with pytest.raises(OSError):
        import_records(read=broken_lines(), choice=choice, incoming=incoming_of(name="dead", choice=choice))
    monkeypatch.undo()
    assert Session.staged_too.count() == 1
    RecordImport.objects.update(touched_at="2020-01-01T00:00Z")
    imported_run(write_records(data / "next.jsonl", foreign("theirs/3")), "--catalogue", str(places(data)))
    assert list(Session.staged_too.values_list("task__task_id", flat=True)) == ["theirs/3"]
    assert list(Task.staged_too.filter(brought_by__records=True).values_list("task_id", flat=True)) == [
        "theirs/3"
    ]


@pytest.mark.django_db(transaction=True)
def test_an_import_that_fails_as_another_begins_says_why(data: Path) -> None:
    """Both name one new collection: the second has joined it when the first would remove it."""

    def bad_lines() -> Iterator[LineProblem]:
        yield LineProblem(1, "", "no JSON")

    def join(instance: TaskCollection, **_told: Any) -> None:
        TaskImport.objects.create(collection=instance, records=True)

    choice = Choice(run="one", collection="both", places="none.places.json")
    pre_delete.connect(join, sender=TaskCollection)
    try:
        with pytest.raises(imports.RecordFileError, match="no JSON"):
            import_records(read=bad_lines(), choice=choice, incoming=incoming_of(name="one", choice=choice))
    finally:
        pre_delete.disconnect(join, sender=TaskCollection)


def test_a_crash_comes_in_as_one(data: Path) -> None:
    crash = {
        "task_id": 7,
        "trial_id": None,
        "success": False,
        "error": HOSTILE,
        "completion_reason": "rate_limit",
    }
    session = imported_run(
        write_records(data / "c.jsonl", crash), "--catalogue", str(places(data))
    ).sessions.get()
    assert (session.status, session.completion_reason, session.task.task_id) == ("crashed", "rate_limit", "7")


def test_a_page_takes_a_packed_file_and_tells_its_bad_lines(
    data: Path, as_researcher: Client, as_annotator: Client
) -> None:
    assert as_annotator.get(reverse("import_records")).status_code == 403

    def send_records(*records: Any) -> RecordImport:
        packed = gzip.compress("".join(json.dumps(record) + "\n" for record in records).encode())
        answer = as_researcher.post(
            reverse("import_records"),
            {
                "file": SimpleUploadedFile("theirs.jsonl.gz", packed),
                "places": SimpleUploadedFile("places.json", places(data).read_bytes()),
                "suite": "grouptravel",
            },
        )
        incoming = RecordImport.objects.latest("pk")
        assert answer.status_code == 302 and answer.url == incoming.get_absolute_url()
        assert record_import(str(incoming.pk))
        incoming.refresh_from_db()
        return incoming

    good = send_records(foreign())
    assert good.complete and good.run.name == "theirs"
    page = as_researcher.get(good.get_absolute_url()).content.decode()
    assert good.run.get_absolute_url() in page
    bad = send_records(foreign("x/2"), {**foreign("x/3"), "conversation_history": HOSTILE})
    page = as_researcher.get(bad.get_absolute_url()).content.decode()
    assert "conversation_history" in page and HOSTILE not in page
    assert Run.objects.count() == 1
    assert not list((data / "imports").iterdir())


TWICE_PACKED = gzip.compress(gzip.compress(b"{}", mtime=0), mtime=0)
"""Without a time in it: it is a part of a test's name, which must be one in every process."""


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("theirs.jsonl.gz", b"\x1f\x8bno gzip", "theirs.jsonl.gz: can&#x27;t be unpacked"),
        ("theirs.jsonl", TWICE_PACKED, "theirs.jsonl: is packed as gzip in gzip"),
        ("theirs.jsonl.gz", b"", "theirs.jsonl.gz: can&#x27;t be unpacked"),
        ("theirs.jsonl", b"PK\x03\x04", "theirs.jsonl: is packed as zip"),
        ("theirs.jsonl", b"\n \n", "the file holds no record"),
    ],
)
def test_a_page_calls_a_file_by_its_senders_name(
    data: Path, as_researcher: Client, name: str, content: bytes, told: str
) -> None:
    given = {"file": SimpleUploadedFile(name, content or b"\0"), "suite": "grouptravel"}
    incoming = RecordImport.objects.get(
        pk=as_researcher.post(reverse("import_records"), given).url.strip("/").split("/")[-1]
    )
    assert record_import(str(incoming.pk))
    page = as_researcher.get(incoming.get_absolute_url()).content.decode()
    assert told in page and str(data) not in page and not Run.objects.exists()


def test_an_upload_beyond_the_limit_says_so_in_words(
    as_researcher: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = as_researcher.get(reverse("import_records")).content.decode()
    assert (
        page.count("At most 8 MB. Files compressed with gzip (.gz) are accepted.") == 2
        and "js/uploads" in page
    )
    monkeypatch.setattr("webapp.forms.LARGEST_UPLOAD", 3)
    given = {"file": SimpleUploadedFile("theirs.jsonl", b"{}\n\n"), "suite": "grouptravel"}
    page = as_researcher.post(reverse("import_records"), given).content.decode()
    assert "The file has more than 8 MB, the most that can be uploaded. Compress it with gzip" in page
    assert not RecordImport.objects.exists()


def test_half_a_character_in_an_id_is_named_by_line_and_field(data: Path) -> None:
    told = import_refusal(
        write_records(data / "bad.jsonl", foreign(), foreign("t\ud83d")), "--catalogue", str(places(data))
    )
    assert "line 2, task_id: holds half a character" in told
    travel = {"trace_id": "t\ud83d", "mode": "single_turn", "query": "q", "success": False}
    assert "line 1, trace_id: holds half" in import_refusal(
        write_records(data / "b.jsonl", travel), "--suite", "travelbench"
    )
    assert not Run.objects.exists() and not Session.staged_too.exists()


@pytest.mark.reference
@pytest.mark.parametrize("folder", ["golden", "golden-rare"])
def test_golden_records_are_scored_and_exported_as_published(
    folder: str, reference: Path, data: Path
) -> None:
    file = reference / folder / "records.jsonl"
    run = imported_run(file, "--catalogue", str(reference / "golden" / "poi_catalog.json"))
    lines = [line for line in file.read_text("utf-8").splitlines() if line.strip()]
    expected = [json.loads(line) for line in (reference / folder / "expected.jsonl").read_text().splitlines()]
    found = list(run.sessions.order_by("stored_record__pk"))
    assert [json.loads(record_line(session)) for session in found] == [json.loads(line) for line in lines]
    for session, wanted in list(zip(found, expected, strict=True))[::7]:
        assert rescore(session_id=session.pk)
        figures = session.scores.get(profile="published").figures
        if "error" not in wanted:
            assert {key: figures.get(key) for key in ("pc", "gu", "gf", "pv")} == {
                key: wanted[key] for key in ("pc", "gu", "gf", "pv")
            }
