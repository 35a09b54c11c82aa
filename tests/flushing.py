"""Emptying the database between tests that commit, which takes most of the time of a short one on PostgreSQL."""

from __future__ import annotations

from typing import Any

from django.core.management.commands import flush
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import TransactionTestCase

LASTING_TABLES = frozenset({"django_content_type"})
"""What every migrated database has."""


def make_quick() -> None:
    """Have every flush of this process delete rows, and connections stay; only tests empty a database."""
    TransactionTestCase._should_reload_connections = _close_broken_ones
    flush.sql_flush = _statements  # type: ignore[assignment]
    flush.emit_post_migrate_signal = lambda *_args, **_options: None


def _close_broken_ones(_test: TransactionTestCase) -> bool:
    """In place of Django's, which has every test open its connection anew: whether it should."""
    for connection in connections.all(initialized_only=True):
        if connection.errors_occurred or connection.in_atomic_block or not connection.autocommit:
            connection.close()
    return False


def _statements(
    style: Any, connection: BaseDatabaseWrapper, reset_sequences: bool = False, allow_cascade: bool = False
) -> list[str]:
    """In place of Django's: TRUNCATE makes every file of the tables anew, some hundreds for a dozen rows."""
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    emptied = [name for name in tables if name not in LASTING_TABLES]
    if connection.vendor == "sqlite":
        return connection.ops.sql_flush(style, emptied)
    quoted = [connection.ops.quote_name(name) for name in emptied]
    # the lock waits for threads that a test has left behind, as TRUNCATE does
    lock = f"LOCK TABLE {', '.join(quoted)} IN ACCESS EXCLUSIVE MODE"
    return ["; ".join([lock, *(f"DELETE FROM {name}" for name in quoted)])]
