"""`manage.py check_world NAME`: what is missing or in doubt in a world."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandParser

from sandbox.extras import declared_extras
from sandbox.worlds.check import check_extras, check_world
from webapp.catalogue.options import world_named
from webapp.catalogue.packs import pack_of
from webapp.commands import DatabaseCommand, add_json, print_result


class Command(DatabaseCommand):
    help = (
        "Find missing fields, places far from their city's centre, duplicate names, and extras that can't be read "
        "in a world."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        world = world_named(options["name"])
        pack = pack_of(world)
        findings = [*check_world(pack), *check_extras(pack, declared_extras())]
        counts = Counter(finding.severity for finding in findings)
        summary = ", ".join(f"{count} {severity}" for severity, count in counts.items()) or "nothing found"
        result = {
            "world": world.name,
            "places": world.places,
            "counts": counts,
            "extras": [count._asdict() for count in pack.extra_counts()],
            "findings": [asdict(finding) for finding in findings],
        }
        extras = [f"{count.owner}.{count.kind}: {count.entries} entries" for count in pack.extra_counts()]
        lines = [*map(str, findings), *extras, f"{world.places} places checked: {summary}"]
        print_result(self, options, result, "\n".join(lines))
