"""`manage.py import_world KIND SOURCE --name NAME`: real data into a world pack."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from sandbox.worlds import WorldError
from sandbox.worlds.china10 import ImportAborted, import_china10
from webapp.catalogue.services import build_world
from webapp.commands import BAD_INPUT, DatabaseCommand, add_json, print_result
from webapp.terminal import progress_bar

IMPORTERS = {"china10": import_china10}


class Command(DatabaseCommand):
    help = "Turn a folder of real data into a world. Bad rows abort the import and leave nothing behind."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("kind", choices=sorted(IMPORTERS))
        parser.add_argument("source", type=Path)
        parser.add_argument("--name", help="Name of the world, by default the kind")
        add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["name"] or options["kind"]
        importer, source = IMPORTERS[options["kind"]], options["source"]
        try:
            with progress_bar() as report:
                world = build_world(name=name, build=lambda target: importer(source, target, name, report))
        except (ImportAborted, WorldError) as error:
            raise CommandError(f"{source}: nothing was imported.\n{error}", returncode=BAD_INPUT) from error
        except OSError as error:
            raise CommandError(
                f"{error.filename or source}: {error.strerror}", returncode=BAD_INPUT
            ) from error
        lines = [
            f"world “{world.name}”: {world.places} places in {len(world.cities)} cities",
            *(f"  {key}: {value}" for key, value in world.report.items()),
        ]
        result = {
            "world": world.name,
            "places": world.places,
            "cities": world.cities,
            "report": world.report,
        }
        print_result(self, options, result, "\n".join(lines))
