"""`manage.py export_notes [SESSION…]`: stars, tags and comments as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from benchmark.outputs import open_output
from webapp.commands import BAD_INPUT, DatabaseCommand
from webapp.notes.files import FORMATS, as_file
from webapp.notes.selectors import notes
from webapp.sessions.options import run_named


class Command(DatabaseCommand):
    help = "Write the notes on all sessions, on those of a run, or on some. Exit code 2: bad input."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("sessions", nargs="*", metavar="SESSION", help="Ids of sessions; by default all")
        parser.add_argument("--run", default="", help="The id or the name of a run")
        parser.add_argument("--format", default="jsonl", choices=FORMATS)
        parser.add_argument("--out", type=Path, help="File to write, by default standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        run = run_named(options["run"]).pk if options["run"] else ""
        selected_notes = notes(run=run, sessions=options["sessions"])
        text = as_file(selected_notes, options["format"])
        if options["out"] is None:
            self.stdout.write(text.decode(), ending="")
            return
        try:
            with open_output(options["out"]) as file:
                file.write(text)
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}", returncode=BAD_INPUT) from error
        self.stdout.write(f"{options['out']}: {selected_notes.count()} notes")
