"""`manage.py delete_session SESSION`: what the page of a session offers."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from webapp.commands import BAD_INPUT, DatabaseCommand, add_json, print_result
from webapp.runs.deletion import delete_session, deletion_of_session
from webapp.sessions.models import Session


class Command(DatabaseCommand):
    help = "Say what would be deleted with a session; with --yes, delete it for good."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("session", help="Its id")
        parser.add_argument("--yes", action="store_true", help="Do not ask")
        add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        session = Session.objects.select_related("task").filter(pk=options["session"]).first()
        if session is None:
            raise CommandError(f"there is no session {options['session']}", returncode=BAD_INPUT)
        goes = deletion_of_session(session)
        words = (
            f"session {session.pk} of {session.task.task_id}: {goes.rerun_count} re-runs, {goes.events} events, "
            f"{goes.judgements} judgements, {goes.notes} notes"
        )
        if options["yes"]:
            delete_session(session)
        outcome = f"deleted {words}" if options["yes"] else f"--yes deletes {words}"
        result = {"session": options["session"], "deleted": options["yes"], "events": goes.events}
        print_result(self, options, result, outcome)
