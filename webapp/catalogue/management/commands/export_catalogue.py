"""`manage.py export_catalogue WORLD`: a world's places in the published catalogue format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import CommandParser

from webapp.catalogue.options import world_named
from webapp.catalogue.packs import pack_of
from webapp.commands import DatabaseCommand


class Command(DatabaseCommand):
    help = "Write the POI catalogue of a world, as `score` reads it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("world")
        parser.add_argument("--out", type=Path, help="File to write, by default standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        text = orjson.dumps(pack_of(world_named(options["world"])).catalogue())
        if options["out"] is None:
            self.stdout.write(text.decode())
        else:
            options["out"].write_bytes(text)
