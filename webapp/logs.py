"""Logs as lines of JSON, with what each line is about: session, run, job and request.

What a line says is what the plain log says too, without the words of errors: these may hold what people have said.
"""

from __future__ import annotations

import logging
import re
import secrets
import socket
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from types import MappingProxyType
from typing import IO, Any, Final

import orjson
from django.conf import settings

from webapp.accounts.redaction import without_tokens

PLAIN: Final = "plain"
JSON: Final = "json"
FORMATS = (PLAIN, JSON)
FRAMES = 40
"""Of a traceback, the innermost ones."""
REQUEST_HEADER = "X-Request-ID"
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
_NOTHING: Mapping[str, str] = MappingProxyType({})
_ids: ContextVar[Mapping[str, str]] = ContextVar("log_ids", default=_NOTHING)  # it can not be changed


@contextmanager
def log_ids(**ids: str | None) -> Iterator[None]:
    """Name what is worked on in all lines of this thread, or of this request. ids: those that are None are left."""
    mark = _ids.set({**_ids.get(), **{name: value for name, value in ids.items() if value}})
    try:
        yield
    finally:
        _ids.reset(mark)


def current_ids() -> Mapping[str, str]:
    """What is worked on here."""
    return _ids.get()


def request_id(passed_on: str) -> str:
    """The id of a request: the one that a proxy passes on, where it is one, else a new one."""
    return passed_on if _REQUEST_ID.fullmatch(passed_on) else secrets.token_hex(8)


class JsonFormatter(logging.Formatter):
    """One object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": without_tokens(record.getMessage()),
            "host": socket.gethostname(),
            "process": record.process,
            "thread": record.threadName,
            **_ids.get(),
        }
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = _error(record.exc_info[1])
        return orjson.dumps(line, default=str).decode()


def _error(error: BaseException) -> dict[str, Any]:
    """Its kind and where it was raised; with that of its cause, and so on."""
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    told: dict[str, Any] = {
        "kind": f"{type(error).__module__}.{type(error).__qualname__}",
        "where": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    }
    if error.__cause__ is not None and error.__cause__ is not error:
        told["cause"] = _error(error.__cause__)
    return told


def write_line(words: str, *, logger: str, level: int = logging.INFO, stream: IO[str] | None = None) -> None:
    """Write what no log handler is asked for: `caravan: …` for a person at a terminal, or a line of JSON."""
    if settings.CARAVAN_LOG_FORMAT == JSON:
        record = logging.LogRecord(logger, level, "", 0, words, None, None)
        words = JsonFormatter().format(record)
    else:
        words = f"caravan: {words}"
    print(words, file=stream or sys.stdout, flush=True)
