"""The base of the commands that work on the database."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Model, QuerySet

from sandbox.worlds import WorldError
from webapp.forms import ChoiceRefused

BAD_INPUT = 2
INTERRUPTED = 130
M = TypeVar("M", bound=Model)


def unmigrated() -> bool:
    """Whether the database lacks migrations of this version."""
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def row_named(rows: QuerySet[M], name: str, what: str, hint: str = "") -> M:
    """The row of this name. hint: what brings one in.

    Raises:
        CommandError: there is none; those that there are are named.
    """
    found = rows.filter(name=name).first()
    if found is None:
        known = ", ".join(rows.values_list("name", flat=True)) or "none"
        raise CommandError(f"there is no {what} “{name}”; there are: {known}{hint}", returncode=BAD_INPUT)
    return found


def add_verb(verbs: Any, name: str, do: Callable[[dict[str, Any]], None], help_text: str) -> CommandParser:
    """A verb of a command, whose `handle` calls `options["do"]`."""
    verb: CommandParser = verbs.add_parser(name, help=help_text, description=help_text)
    verb.set_defaults(do=do)
    return verb


class DatabaseCommand(BaseCommand):
    """A command that finds its database prepared, and turns what can't be taken or read into one line.

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
        except ChoiceRefused as error:
            raise CommandError(str(error), returncode=BAD_INPUT) from error
        except WorldError as error:
            raise CommandError(f"{error}; import the world again", returncode=BAD_INPUT) from error
