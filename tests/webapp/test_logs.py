"""Logs as JSON: what each line is about, and what none may hold."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from daphne.access import AccessLogGenerator

from webapp.accounts.redaction import TokenFilter
from webapp.logs import JsonFormatter, current_ids, log_ids, request_id, write_line
from webapp.queue import WORK
from webapp.serving import AccessLog, Pages
from webapp.sessions.services import Setup, create_session
from worker import tasks
from worker.sessions import loop

log = logging.getLogger("tests.of.logs")


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """What a handler writes that has what the setting `json` gives it."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonFormatter())
    handler.addFilter(TokenFilter())
    logging.getLogger().addHandler(handler)
    yield stream
    logging.getLogger().removeHandler(handler)


def read(lines: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines.getvalue().splitlines()]


def test_a_line_says_what_is_worked_on(lines: io.StringIO) -> None:
    with log_ids(job="session/abc", run=None), log_ids(session="abc"):
        log.warning("it\nsays “%s”", "hello")
    log.warning("later")
    first, second = read(lines)
    assert first["message"] == "it\nsays “hello”" and first["level"] == "WARNING"
    assert (first["logger"], first["job"], first["session"]) == ("tests.of.logs", "session/abc", "abc")
    assert {"time", "host", "process"} <= first.keys() and "run" not in first
    assert "session" not in second


def test_an_error_is_told_without_its_words_and_links_without_their_tokens(lines: io.StringIO) -> None:
    try:
        try:
            raise KeyError("Anna lives in Bern")
        except KeyError as cause:
            raise ValueError("Anna said: no") from cause
    except ValueError:
        log.exception("GET /join/abcdefgh/ and caravan_%s failed", "x" * 43)
    (line,) = read(lines)
    assert line["error"]["kind"] == "builtins.ValueError" and "test_logs.py" in line["error"]["where"][-1]
    assert line["error"]["cause"]["kind"] == "builtins.KeyError"
    assert line["message"] == "GET /join/***/ and caravan_*** failed"
    assert "Anna" not in lines.getvalue()


@pytest.mark.django_db
def test_a_worker_names_the_job_and_the_session(
    lines: io.StringIO, monkeypatch: pytest.MonkeyPatch, starter_world: Any, starter_tasks: list[Any]
) -> None:
    session = create_session(task=starter_tasks[0], world=starter_world, setup=Setup(), start=False)
    fold = loop.fold_session

    def fold_in_run(*given: Any, **named: Any) -> Any:
        work = fold(*given, **named)
        work.session.run_id = "therun"
        return work

    def take_steps(work: Any) -> None:
        log.warning("a step of %s", dict(current_ids()))

    monkeypatch.setattr(loop, "fold_session", fold_in_run)
    monkeypatch.setattr(loop, "_take_steps", take_steps)
    monkeypatch.setattr(loop, "hand_over", lambda *_: None)
    monkeypatch.setattr(tasks, "usable_connections", nullcontext)
    assert tasks.work_on.name == WORK
    tasks.work_on("session", session.pk)
    (line,) = [each for each in read(lines) if each["logger"] == log.name]
    assert (line["job"], line["session"], line["run"]) == (f"session/{session.pk}", session.pk, "therun")


async def test_a_request_has_an_id_that_its_answer_tells() -> None:
    headers = [(b"host", b"testserver"), (b"x-request-id", b"proxy-4711")]
    scope = {"type": "http", "method": "GET", "path": "/health", "query_string": b"", "headers": headers}
    asked = ApplicationCommunicator(Pages(), scope)
    await asked.send_input({"type": "http.request", "body": b"", "more_body": False})
    started = await asked.receive_output(timeout=10)
    assert started["status"] == 200
    assert dict(started["headers"])[b"X-Request-ID"] == b"proxy-4711"
    await asked.receive_output(timeout=10)
    await asked.wait()
    for unfit in ("", "short", "a b c d e f", "x" * 65, "line\nbreak"):
        assert len(request_id(unfit)) == 16 != len(unfit)


def test_what_is_written_past_the_handlers_is_of_the_same_form(settings: Any) -> None:
    plain, structured = io.StringIO(), io.StringIO()
    write_line("ready", logger="x", stream=plain)
    assert plain.getvalue() == "caravan: ready\n"
    settings.CARAVAN_LOG_FORMAT = "json"
    write_line("ready: /signin/abc/", logger="x", level=logging.ERROR, stream=structured)
    access: AccessLogGenerator = AccessLog(structured)
    details = {"client": "203.0.113.7:1", "method": "GET", "path": "/runs/?q=Anna", "status": 200, "size": 7}
    access("http", "complete", details)
    first, second = read(structured)
    assert (first["message"], first["level"]) == ("ready: /signin/***/", "ERROR")
    assert (second["logger"], second["message"]) == ("webapp.access", "GET /runs/ 200 7")
