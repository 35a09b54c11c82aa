"""`manage.py archive_sessions`: what tools answered in ended sessions goes into compressed files, or comes back."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from webapp.commands import BAD_INPUT, DatabaseCommand, add_json, print_result
from webapp.sessions.archive_files import BrokenArchive
from webapp.sessions.archiving import archivable_sessions, archive_session, bring_back
from webapp.sessions.models import Session
from webapp.sessions.options import run_named


class Command(DatabaseCommand):
    help = (
        "Move what tools answered in ended sessions into a compressed file a session below CARAVAN_DATA/archives, or "
        "back. Pages, exports and scores read it from there. CARAVAN_ARCHIVE_AFTER has workers do it by themselves. "
        "Exit code 0: done, 2: bad input, or a file can't be read."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("--older-than", type=float, metavar="DAYS", help="Sessions that ended so long ago")
        which.add_argument("--bring-back", action="store_true", help="All payloads into the database again")
        parser.add_argument("--run", help="Only sessions of this run, by its id or name")
        add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        back, days = options["bring_back"], options["older_than"]
        if days is not None and days < 0:
            raise CommandError("--older-than: give a number of days, 0 or more", returncode=BAD_INPUT)
        rows = Session.objects.exclude(archive=None) if back else archivable_sessions(days)
        if options["run"]:
            rows = rows.filter(run=run_named(options["run"]))
        move, sessions, events = bring_back if back else archive_session, 0, 0
        try:
            for session_id in list(rows.values_list("pk", flat=True)):
                events += move(session_id)
                sessions += 1
        except BrokenArchive as error:
            raise CommandError(str(error), returncode=BAD_INPUT) from error
        words = f"{'brought back' if back else 'archived'} {sessions} sessions, {events} events"
        print_result(self, options, {"sessions": sessions, "events": events}, words)
