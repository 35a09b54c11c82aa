"""`manage.py packs store|fetch|check`: packs of worlds and caches, between this host and the store."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from sandbox.filestore import WrongFile, check
from webapp.caches.services import store_caches
from webapp.catalogue.packs import store_worlds
from webapp.commands import BAD_INPUT, DatabaseCommand, add_json, add_verb, print_result
from webapp.files import services as files
from webapp.files.models import StoredFile


class Command(DatabaseCommand):
    help = (
        "Bring world packs and caches to the store that CARAVAN_PACKS names, and from it. Exit code 0: done, 2: no "
        "store, or something is wrong in it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        store = add_verb(verbs, "store", self._store, "Store what this host has")
        store.add_argument(
            "--again", action="store_true", help="Also what the store has, in place of damaged copies"
        )
        fetch = add_verb(
            verbs, "fetch", self._fetch, "Fetch what this host lacks; without it that is fetched when used"
        )
        fetch.add_argument(
            "--again", action="store_true", help="Also what is here and differs from what was stored"
        )
        add_verb(verbs, "check", self._check, "Read all that is stored, and compare it with its SHA-256")
        for verb in verbs.choices.values():
            add_json(verb)

    def handle(self, *args: Any, **options: Any) -> None:
        if not files.in_use():
            words = "CARAVAN_PACKS names no store: set it to an address such as s3://bucket/folder, or to “database”"
            raise CommandError(words, returncode=BAD_INPUT)
        try:
            options["do"](options)
        except (WrongFile, ValueError) as error:
            raise CommandError(str(error), returncode=BAD_INPUT) from error

    def _store(self, options: dict[str, Any]) -> None:
        names = [*store_worlds(again=options["again"]), *store_caches(again=options["again"])]
        self._tell(options, names, "stored")

    def _fetch(self, options: dict[str, Any]) -> None:
        names = []
        for row in StoredFile.objects.all():
            files.bring_row(row, replace=options["again"])
            names.append(row.name)
        self._tell(options, names, "here")

    def _check(self, options: dict[str, Any]) -> None:
        wrong, right = [], []
        for row in StoredFile.objects.all():
            try:
                check(files.store(), row.figures)
                right.append(row.name)
            except WrongFile as error:
                wrong.append(f"{row.name}: {error}")
        if wrong:
            remedy = "run manage.py packs store --again on a host that has them"
            raise CommandError(
                "\n".join([*wrong, f"{len(wrong)} files are wrong; {remedy}"]), returncode=BAD_INPUT
            )
        self._tell(options, right, "right in the store")

    def _tell(self, options: dict[str, Any], names: list[str], done: str) -> None:
        print_result(self, options, {"files": names}, "\n".join([*names, f"{len(names)} files are {done}"]))
