"""`manage.py start_demo`: a paced session, so that the first page of a new installation lives."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from webapp.catalogue.models import Task, World
from webapp.catalogue.starter import NAME
from webapp.commands import DatabaseCommand
from webapp.sessions.models import Session
from webapp.sessions.services import Setup, create_session

PACE_S = 1.5


class Command(DatabaseCommand):
    help = "Start a demo session, unless sessions were run here before (--again: in any case)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--again", action="store_true")
        parser.add_argument("--pace", type=float, default=PACE_S, help="Seconds between visible events")

    def handle(self, *args: Any, **options: Any) -> None:
        if Session.objects.exists() and not options["again"]:
            return
        task = Task.objects.filter(collection__name=NAME, difficulty="medium").order_by("position").first()
        if task is None:
            return
        world = World.objects.get(name=NAME)
        session = create_session(task=task, world=world, setup=Setup(seed=7, pace=options["pace"]))
        self.stdout.write(f"caravan: a demo session has started: {session.get_absolute_url()}")
