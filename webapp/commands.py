"""The base of the commands that work on the database."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from sandbox.worlds import WorldError

BAD_INPUT = 2
INTERRUPTED = 130


def unmigrated() -> bool:
    """Whether the database lacks migrations of this version."""
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


class DatabaseCommand(BaseCommand):
    """A command that finds its database prepared, and turns an unreadable world into one line.

    The embedded default is prepared on the spot, so that a command is the first thing one may call in a new clone. A
    served database is migrated by `manage.py prepare` alone.
    """

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Prepare, then do the command's work."""
        if settings.EMBEDDED_DATABASE:
            call_command("prepare", stdout=self.stderr)
        elif unmigrated():
            raise CommandError("the database is not prepared; run manage.py prepare", returncode=BAD_INPUT)
        try:
            return super().execute(*args, **options)
        except WorldError as error:
            raise CommandError(f"{error}; import the world again", returncode=BAD_INPUT) from error
