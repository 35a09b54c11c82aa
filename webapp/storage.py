"""What is told when the database, or the disk below it, takes nothing just now."""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from sandbox.filestore import StoreAway, WrongFile

STORAGE_ERRORS = (OperationalError, InterfaceError, StoreAway)
"""What a database raises that is locked, full or restarting, or has lost the connection; and a store of packs."""
log = logging.getLogger(__name__)
DISK_FULL, LOCK_NOT_AVAILABLE = "53100", "55P03"
"""PostgreSQL's names for these errors."""
RETRY_AFTER_S = 10


def is_full(error: BaseException) -> bool:
    """Whether this says that the disk is full."""
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    if isinstance(error, StoreAway):
        return isinstance(error.__cause__, OSError) and is_full(error.__cause__)
    return _state(error) == DISK_FULL or "disk is full" in str(error)


def words(error: BaseException) -> str:
    """What is wrong with the database or the disk, and what helps."""
    if is_full(error):
        return _("The disk is full. Free some space; waiting jobs then continue by themselves.")
    if isinstance(error, WrongFile):
        log.error("%s", error)
        return _("A file that this needs is missing or damaged. The log of the web server names it.")
    if isinstance(error, StoreAway):
        return _("World packs and caches can't be fetched just now. Waiting jobs continue when they can be.")
    if _state(error) == LOCK_NOT_AVAILABLE or "locked" in str(error):
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
        if not isinstance(exception, (*STORAGE_ERRORS, WrongFile)) and not is_full(exception):
            return None
        return unavailable(exception)
