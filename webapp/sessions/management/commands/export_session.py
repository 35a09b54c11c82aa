"""`manage.py export_session ID`: a session as a published run record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from webapp.commands import BAD_INPUT, DatabaseCommand
from webapp.sessions.models import Session
from webapp.sessions.scoring import record_line


class Command(DatabaseCommand):
    help = "Write a session as one line of a published run file."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("id")
        parser.add_argument("--out", type=Path, help="File to write, by default standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        session = Session.objects.select_related("task").filter(pk=options["id"]).first()
        if session is None:
            raise CommandError(f"there is no session {options['id']}", returncode=BAD_INPUT)
        line = record_line(session)
        if options["out"] is None:
            self.stdout.write(line.decode(), ending="")
        else:
            options["out"].write_bytes(line)
