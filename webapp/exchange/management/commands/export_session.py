"""`manage.py export_session ID`: a session as a run record, a page, a log of Inspect, or conversations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from benchmark.outputs import open_output
from webapp.audits.models import Act, Way
from webapp.audits.services import note_access
from webapp.commands import BAD_INPUT, DatabaseCommand
from webapp.exchange.formats import SESSION_ENDINGS, NotEnded, write_session
from webapp.sessions.models import Session


class Command(DatabaseCommand):
    help = (
        "Write a session: its published run record, one HTML file, a log for Inspect, or its conversations."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("id")
        parser.add_argument(
            "--format", choices=list(SESSION_ENDINGS), default="record", help="By default %(default)s"
        )
        parser.add_argument(
            "--out", type=Path, help="File to write, by default standard output; FILE.json of inspect is JSON"
        )
        parser.add_argument(
            "--pseudonyms", action="store_true", help="People are P1, P2 … in it, without names"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        session = Session.objects.select_related("task").filter(pk=options["id"]).first()
        if session is None:
            raise CommandError(f"there is no session {options['id']}", returncode=BAD_INPUT)
        note_access(
            account=None,
            act=Act.EXPORTED,
            way=Way.COMMAND,
            place="export_session",
            kind="session",
            subject=session.pk,
        )
        path: Path | None = options["out"]
        named = {"pseudonyms": options["pseudonyms"]}
        try:
            if path is None:
                write_session(session, options["format"], self._output(), as_json=True, **named)
            else:
                with open_output(path) as file:
                    write_session(session, options["format"], file, as_json=path.suffix == ".json", **named)
        except NotEnded as error:
            raise CommandError(str(error), returncode=BAD_INPUT) from error
        except OSError as error:
            raise CommandError(f"{error.filename or path}: {error.strerror}", returncode=BAD_INPUT) from error

    def _output(self) -> Any:
        return _Text(self.stdout)


class _Text:
    """Standard output as a file of bytes."""

    def __init__(self, out: Any) -> None:
        self._output = out

    def write(self, data: bytes) -> None:
        self._output.write(data.decode(), ending="")

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)
