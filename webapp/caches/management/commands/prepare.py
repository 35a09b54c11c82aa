"""`manage.py prepare`: bring languages, database, starter world, tasks and cache up to date; quick when they are."""

from __future__ import annotations

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from webapp.caches.models import ToolCache
from webapp.caches.services import create_cache
from webapp.catalogue.starter import load_starter_tasks, load_starter_world
from webapp.catalogues import compile_catalogues
from webapp.commands import unmigrated

FIRST_CACHE = "local"


class Command(BaseCommand):
    help = (
        "Compile the languages, migrate the database, load the shipped world and tasks, make an empty cache."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            compile_catalogues()
        except OSError as error:
            self.stderr.write(f"caravan: pages stay in English, their translations can't be written: {error}")
        if unmigrated():
            self.stdout.write("caravan: preparing the database ...")
            call_command("migrate", verbosity=0, interactive=False)
        if (world := load_starter_world()) is not None:
            self.stdout.write(
                f"caravan: starter world ready, {world.places} places in {len(world.cities)} cities"
            )
        if count := load_starter_tasks():
            self.stdout.write(f"caravan: {count} starter tasks ready")
        if not ToolCache.objects.exists():
            create_cache(name=FIRST_CACHE)
