"""What is told when the database, or the disk below it, takes nothing just now."""

from __future__ import annotations

import errno
import time
from collections.abc import Callable
from typing import Any

from asgiref.sync import SyncToAsync
from django.db import InterfaceError, OperationalError, connections
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

AWAY = (OperationalError, InterfaceError)
"""What a database raises that is locked, full or restarting, or has lost the connection."""
DISK_FULL, LOCKED = "53100", "55P03"
"""PostgreSQL's names for these errors."""
RETRY_AFTER_S = 10
KEPT_S = 30.0
"""For so long sockets use one connection to SQLite, which takes longer to open than most of what is read."""


class read_in_sockets(SyncToAsync[..., Any]):
    """A decorator: have a function read the database in the one thread that all sockets of a process share."""

    def thread_handler(self, loop: Any, *args: Any, **kwargs: Any) -> Any:
        """As `channels.db.database_sync_to_async`, which opens a connection for each call."""
        try:
            return super().thread_handler(loop, *args, **kwargs)  # type: ignore[no-untyped-call]
        finally:
            _close_old()


def _close_old() -> None:
    for connection in connections.all(initialized_only=True):
        opened = (
            connection.close_at
        )  # nothing is kept by `CONN_MAX_AGE`: they may be closed since they were opened
        kept = connection.vendor == "sqlite" and opened is not None and time.monotonic() < opened + KEPT_S
        if not kept or connection.errors_occurred:
            connection.close_if_unusable_or_obsolete()


def is_full(error: BaseException) -> bool:
    """Whether this says that the disk is full."""
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    return _state(error) == DISK_FULL or "disk is full" in str(error)


def words(error: BaseException) -> str:
    """What is wrong with the database or the disk, and what helps."""
    if is_full(error):
        return _("The disk is full. Free some space; waiting jobs then continue by themselves.")
    if _state(error) == LOCKED or "locked" in str(error):
        return _("The database is locked by another process. Waiting jobs continue when it is free.")
    return _("The database can't be reached. Waiting jobs continue when it is back.")


def _state(error: BaseException) -> str:
    return str(getattr(error.__cause__, "sqlstate", "") or "")


def unavailable(error: BaseException) -> HttpResponse:
    """The page in place of one that could not be read or written: 503 with the reason."""
    page = render_to_string("503.html", {"why": words(error)})
    return HttpResponse(page, status=503, headers={"Retry-After": str(RETRY_AFTER_S)})


class StorageMiddleware:
    """A page that could not read or write says so in place of a traceback."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """503 with the reason for what passes, None for any other error."""
        if not isinstance(exception, AWAY) and not is_full(exception):
            return None
        return unavailable(exception)
