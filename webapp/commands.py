"""The base of the commands that work on the database."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Protocol, TypeVar

import orjson
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model, QuerySet

from sandbox.filestore import StoreAway
from sandbox.worlds import WorldError
from webapp.forms import ChoiceRefused
from webapp.terminal import ShownOutput

BAD_INPUT = 2
INTERRUPT_CODE = 130
M = TypeVar("M", bound=Model)


class HasPage(Protocol):
    """A row with a page of its own."""

    def get_absolute_url(self) -> str: ...


def server_address() -> str:
    """Where the web server of this installation is reached from this machine."""
    note = Path(settings.ADDRESS_NOTE)
    return note.read_text().strip() if note.exists() else "http://127.0.0.1:8000"


def page_address(row: HasPage) -> str:
    """The whole address of a row's page."""
    return server_address() + row.get_absolute_url()


def unmigrated() -> bool:
    """Whether the database lacks migrations of this version.

    Nearly always it lacks none, and their names alone tell: reading them is a tenth of a command's start.
    """
    if _migration_names() <= MigrationRecorder(connection).applied_migrations().keys():
        return False
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


@cache
def _migration_names() -> set[tuple[str, str]]:
    """The migrations of the installed apps, by app and name, as they lie in their folders."""
    names: set[tuple[str, str]] = set()
    for app in apps.get_app_configs():
        package, _ = MigrationLoader.migrations_module(app.label)
        spec = find_spec(package) if package else None
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            names |= {(app.label, name) for _, name, _ in iter_modules([folder]) if name[0] not in "_~"}
    return names


def row_named(rows: QuerySet[M], name: str, what: str, hint: str = "") -> M:
    """The row of this name. hint: what brings one in.

    Raises:
        CommandError: there is none; those that there are are named.
    """
    row = rows.filter(name=name).first()
    if row is None:
        known = ", ".join(rows.values_list("name", flat=True)) or "none"
        raise CommandError(f"there is no {what} “{name}”; there are: {known}{hint}", returncode=BAD_INPUT)
    return row


def add_json(parser: Any) -> None:
    """The option of a command that prints a result; its `handle` says `print_result`."""
    parser.add_argument("--json", action="store_true", help="Print the result as JSON, nothing else")


def print_result(command: BaseCommand, options: dict[str, Any], result: Any, words: str) -> None:
    """Print a command's result: as one line of JSON where `--json` asks for it, else in words."""
    command.stdout.write(orjson.dumps(result).decode() if options["json"] else words.rstrip("\n"))


def say(command: BaseCommand, options: dict[str, Any], words: str) -> None:
    """Say how far a command is: on standard error where standard output holds JSON alone."""
    if options["json"]:
        command.stderr.write(words, command.style.SUCCESS)
    else:
        command.stdout.write(words)


def add_verb(verbs: Any, name: str, do: Callable[[dict[str, Any]], None], help_text: str) -> CommandParser:
    """A verb of a command, whose `handle` calls `options["do"]`."""
    verb: CommandParser = verbs.add_parser(name, help=help_text, description=help_text)
    verb.set_defaults(do=do)
    return verb


class UncheckedCommand(BaseCommand):
    """A command that shows no page."""

    requires_system_checks: list[str] = []
    """None: they would import every page first. `make check` asks them."""

    def __init__(self, *options: Any, **named: Any) -> None:
        super().__init__(*options, **named)
        for name in ("stdout", "stderr"):
            written = getattr(self, name)
            shown = ShownOutput(written._out)
            shown.style_func = written.style_func
            setattr(self, name, shown)


class DatabaseCommand(UncheckedCommand):
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
        except StoreAway as error:
            raise CommandError(str(error), returncode=BAD_INPUT) from error
