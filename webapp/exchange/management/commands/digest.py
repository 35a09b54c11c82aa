"""`manage.py digest`: fingerprints of all that an installation holds, to compare a restored one with its origin."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management.base import CommandParser
from django.db.models import Model

from sandbox.filestore import figures_of
from webapp.commands import DatabaseCommand, add_json, print_result

ROWS_AT_ONCE = 2000
FOLDERS = ("worlds", "caches", "archives")
PASSING = ("-wal", "-shm", ".lock")
"""The ends of the names of files that come and go."""


def table_digest(model: type[Model]) -> tuple[int, str]:
    """How many rows a table has, and the SHA-256 (hex) of all their values by the order of their keys."""
    digest, count = hashlib.sha256(), 0
    columns = [field.attname for field in model._meta.concrete_fields]
    for row in model._base_manager.order_by("pk").values_list(*columns).iterator(ROWS_AT_ONCE):
        values = [bytes(value) if isinstance(value, memoryview) else value for value in row]
        digest.update(repr(values).encode("utf-8", "surrogatepass"))
        count += 1
    return count, digest.hexdigest()


def file_digests() -> Iterator[tuple[str, str]]:
    """Name and SHA-256 (hex) of all files of these folders; hidden ones belong to processes and are left out."""
    data = Path(settings.CARAVAN_DATA)
    for path in sorted(path for folder in FOLDERS for path in (data / folder).rglob("*")):
        name = path.relative_to(data)
        hidden = any(part.startswith(".") for part in name.parts)
        if path.is_file() and not hidden and not path.name.endswith(PASSING):
            yield name.as_posix(), figures_of(path).digest


class Command(DatabaseCommand):
    help = (
        "Print the rows and the SHA-256 of each table, and the SHA-256 of each file of worlds, caches and "
        "archives. Two installations with the same output hold the same. Stop workers and web processes first."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--no-files", action="store_true", help="Tables alone, as on a host that fetches files"
        )
        add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        models = sorted(apps.get_models(include_auto_created=True), key=lambda model: model._meta.db_table)
        tables = {model._meta.db_table: table_digest(model) for model in models if model._meta.managed}
        files = {} if options["no_files"] else dict(file_digests())
        lines = [f"{digest}  {name}  {count} rows" for name, (count, digest) in tables.items()]
        lines += [f"{digest}  {name}" for name, digest in files.items()]
        whole = hashlib.sha256("\n".join(lines).encode()).hexdigest()
        result = {"tables": tables, "files": files, "digest": whole}
        print_result(self, options, result, "\n".join([*lines, f"{whole}  all of it"]))
