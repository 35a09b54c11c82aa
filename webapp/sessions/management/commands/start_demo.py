"""`manage.py start_demo`: a paced session, so that the first page of a new installation lives."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from webapp.commands import DatabaseCommand
from webapp.sessions.demo import PACE_S, demo_task, play_demo
from webapp.sessions.models import Session


class Command(DatabaseCommand):
    help = "Start a demo session, unless sessions were run here before (--again: in any case)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--again", action="store_true")
        parser.add_argument("--pace", type=float, default=PACE_S, help="Seconds between visible events")

    def handle(self, *args: Any, **options: Any) -> None:
        if Session.objects.exists() and not options["again"]:
            return
        if demo_task() is None:
            return
        session = play_demo(options["pace"])
        self.stdout.write(f"caravan: a demo session has started: {session.get_absolute_url()}")
