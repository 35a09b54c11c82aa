"""`manage.py compare_sessions A B [C D]`: what differs between sessions."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from webapp.commands import DatabaseCommand, add_json, print_result
from webapp.comparisons.comparing import Comparison
from webapp.comparisons.files import comparison_json, comparison_text
from webapp.comparisons.selection import chosen_sessions, refuse_unlike
from webapp.sessions.reading import Reading


class Command(DatabaseCommand):
    help = "Compare two to four sessions with the first of them: conditions, scores, messages, tool calls, plans."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("sessions", metavar="SESSION", nargs="+", help="Ids of two to four sessions")
        add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        sessions = chosen_sessions(options["sessions"])
        refuse_unlike(sessions)
        comparison = Comparison([Reading.of(session) for session in sessions])
        text = "" if options["json"] else comparison_text(comparison)
        print_result(self, options, comparison_json(comparison) if options["json"] else None, text)
