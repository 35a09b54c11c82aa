"""`manage.py remove_person GUEST` or `SESSION SEAT`: one person's words and name, removed."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db.models import QuerySet

from webapp.commands import BAD_INPUT, DatabaseCommand
from webapp.people.models import Guest
from webapp.people.personal import family, remove_data


class Command(DatabaseCommand):
    help = (
        "Replace what one person said, and their name, wherever Caravan keeps it; scores stay. It asks first. "
        "Exit code 0: done, or done by itself once the session has ended; 1: not confirmed; 2: bad input."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("who", metavar="GUEST|SESSION", help="A guest's id, or a session's with a seat")
        parser.add_argument("seat", nargs="?", default="", help="The name of a seat: everybody who had it")
        parser.add_argument("--yes", action="store_true", help="Do not ask")

    def handle(self, *args: Any, **options: Any) -> None:
        guests = list(_guests_named(options["who"], options["seat"]).select_related("seat__session__task"))
        if not guests:
            raise CommandError(_unknown_words(options["who"], options["seat"]), returncode=BAD_INPUT)
        left = [guest for guest in guests if guest.data_removed_at is None]
        if not left:
            self.stdout.write("their data was removed before; nothing to do")
            return
        if not options["yes"] and not self._confirmed(left):
            raise CommandError("nothing was removed", returncode=1)
        for guest in left:
            done = remove_data(guest, by_command=True)
            later = "is removed once its session has ended and is scored, with forks and re-runs of it"
            self.stdout.write(f"{guest.pk}, {guest.seat.name}: {'removed' if done else later}")

    def _confirmed(self, guests: list[Guest]) -> bool:
        for guest in guests:
            also = [session.pk for session in family(guest.seat.session)[1:]]
            words = f", and of its copies in {', '.join(also)}" if also else ""
            self.stdout.write(f"{guest.pk}: seat {guest.seat.name} of session {guest.seat.session_id}{words}")
        try:
            return input("Remove what they said for good? It can't be undone. [y/N] ").strip().lower() in (
                "y",
                "yes",
            )
        except EOFError:
            return False


def _guests_named(who: str, seat: str) -> QuerySet[Guest]:
    if seat:
        return Guest.objects.filter(seat__session=who, seat__name=seat)
    return Guest.objects.filter(pk=who)


def _unknown_words(who: str, seat: str) -> str:
    if seat:
        return f"nobody has had seat {seat} of session {who}; the session's page lists who sat where"
    return f"there is no guest {who}; give a guest's id, or a session's id and the name of a seat"
