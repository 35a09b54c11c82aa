"""A connection to the database that never waits long, and takes none of the pool's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import load_backend


@contextmanager
def bounded_connection(patience_s: int) -> Iterator[BaseDatabaseWrapper]:
    """A connection of its own. patience_s: seconds, 2 or more, after which a try to connect ends.

    A server that has taken the connection and then falls silent is waited for as any other.

    Raises:
        NotSupportedError: the database is too old.
        OperationalError: it can't be reached.
    """
    settings = deepcopy(connections["default"].settings_dict)
    options = settings["OPTIONS"] = dict(settings.get("OPTIONS") or {})
    if connections["default"].vendor == "postgresql":
        options.pop("pool", None)
        options["connect_timeout"] = patience_s
    else:
        options["timeout"] = patience_s
    wrapper: BaseDatabaseWrapper = load_backend(settings["ENGINE"]).DatabaseWrapper(settings, "default")
    try:
        wrapper.ensure_connection()
        yield wrapper
    finally:
        wrapper.close()
