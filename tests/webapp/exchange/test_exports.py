"""Sessions and runs as files for other programs."""

from __future__ import annotations

import json
import re
import zipfile
from html import unescape
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from tests.seating import play
from tests.webapp.conftest import HOSTILE, Writer
from webapp.catalogue.models import Task, World
from webapp.exchange.html import plain_html
from webapp.runs.services import create_run
from webapp.sessions.models import Run, Session
from webapp.sessions.services import Setup

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hasty")]

pieces = st.lists(
    st.sampled_from(
        [
            *(
                "<script>",
                "</script>",
                "<a href=javascript:x()>",
                '<a href="//evil/#a">',
                '<a href="/sessions/x/#e3">',
            ),
            *(
                '<p onclick="x()" style="a:b">',
                "<img src=x onerror=x()>",
                "<svg><use href='http://e'/>",
                "<!--",
                "-->",
            ),
            *(
                "<style>",
                "</p>",
                "&lt;",
                "text",
                '<form action="http://e">',
                "<details open>",
                '<meta http-equiv="refresh">',
            ),
        ]
    ),
    max_size=8,
)


@given(pieces)
def test_plain_html_runs_nothing_and_fetches_nothing(parts: list[str]) -> None:
    found = plain_html("".join(parts), here="/sessions/x/")
    tags = re.findall(r"<[^>]*>", found)
    assert not [
        tag
        for tag in tags
        if re.search(r"<(script|style|img|form|meta|use|iframe)|\son\w+=|style=|src=", tag)
    ]
    assert {href for tag in tags for href in re.findall(r'href="([^"]*)"', tag)} <= {"#e3"}


def test_a_session_is_one_page_that_needs_no_server(eventful: Session, tmp_path: Path) -> None:
    out = tmp_path / "session.html"
    call_command("export_session", eventful.pk, "--format", "html", "--out", out)
    page = out.read_text("utf-8")
    assert HOSTILE not in page and page.count("<script>") == 1
    assert not re.findall(r'(?:src|href|action)="(?!#)', page)
    assert "default-src 'none'" in unescape(page)
    assert f'id="e{eventful.last_seq}"' in page


def test_the_conversation_as_the_agent_saw_it_is_a_line(eventful: Session, tmp_path: Path) -> None:
    out = tmp_path / "chat.jsonl"
    call_command("export_session", eventful.pk, "--format", "chat", "--out", out)
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert lines
    for line in lines:
        assert {message["role"] for message in line["messages"]} <= {"system", "user", "assistant", "tool"}
        assert line["metadata"]["session"] == eventful.pk


def test_a_session_that_goes_on_has_no_file_but_its_record(
    as_researcher: Client, begin: type[Writer], tmp_path: Path
) -> None:
    session = begin().session  # type: ignore[call-arg]
    for format_ in ("html", "inspect", "chat"):
        out = tmp_path / format_
        with pytest.raises(CommandError, match="has not ended"):
            call_command("export_session", session.pk, "--format", format_, "--out", out)
        assert not out.exists()
        assert as_researcher.get(f"/sessions/{session.pk}/export.{format_}").status_code == 409


@pytest.fixture
def run(starter_tasks: list[Task], starter_world: World) -> Run:
    made = create_run(
        name="=one", tasks=starter_tasks[:1], world=starter_world, setup=Setup(), trials=2, start=False
    )
    play(made.sessions.order_by("trial_id")[0])
    return made


def test_a_run_is_a_folder_a_log_or_rows(run: Run, as_researcher: Client, tmp_path: Path) -> None:
    told = StringIO()
    call_command("export_run", run.pk, "--format", "folder", "--out", tmp_path / "run", "--json", stdout=told)
    assert json.loads(told.getvalue())["not_ended"] == 1
    [played] = run.sessions.exclude(status="queued")
    names = {path.name for path in (tmp_path / "run").iterdir()}
    own = {f"{played.pk}{ending}" for ending in (".jsonl", ".html", ".scores.json")}
    assert names == {"run.json", "sessions.csv", *own}
    scores = json.loads((tmp_path / "run" / f"{played.pk}.scores.json").read_text())
    told = played.scores.get(profile="paper")
    assert scores["scores"]["paper"] == {"code_version": told.code_version, **told.figures}
    assert scores["session"] == played.pk and "evidence" in scores["scores"]["published"]
    with pytest.raises(CommandError, match="there is something already"):
        call_command("export_run", run.pk, "--format", "folder", "--out", tmp_path / "run")

    rows = as_researcher.get(f"/runs/{run.pk}/export.jsonl")
    [row] = [json.loads(line) for line in b"".join(rows.streaming_content).splitlines()]  # type: ignore[attr-defined]
    assert row["session"] == played.pk and json.loads(row["record"])["task_id"] == played.task.task_id
    log = b"".join(as_researcher.get(f"/runs/{run.pk}/export.inspect").streaming_content)  # type: ignore[attr-defined]
    with zipfile.ZipFile(BytesIO(log)) as packed:
        assert json.loads(packed.read("header.json"))["results"]["total_samples"] == 1
    folder = b"".join(as_researcher.get(f"/runs/{run.pk}/export.folder").streaming_content)  # type: ignore[attr-defined]
    assert f"{run.pk}/run.json" in zipfile.ZipFile(BytesIO(folder)).namelist()


def test_only_researchers_get_files_and_of_known_formats(
    client: Client, as_researcher: Client, eventful: Session
) -> None:
    assert client.get(f"/sessions/{eventful.pk}/export.html").status_code in {302, 403}
    assert as_researcher.get(f"/sessions/{eventful.pk}/export.exe").status_code == 404
    assert as_researcher.get(f"/sessions/{eventful.pk}/export.html").status_code == 200
