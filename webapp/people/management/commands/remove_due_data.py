"""`manage.py remove_due_data`: remove the data of people that their studies keep no longer, or preview it."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import CommandParser

from webapp import clock
from webapp.commands import DatabaseCommand
from webapp.people.personal import NotYet, erase
from webapp.people.retention import FURTHER_REMOVALS, RETENTION, DueRemoval, Removal, removals


class Command(DatabaseCommand):
    help = (
        "Remove what people said and annotators wrote, and their names, where the days are over for which their "
        "study or CARAVAN_RETENTION_DAYS keeps it; workers do it by themselves too. Scores stay. Exit code 0: done, "
        "2: bad input."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--preview", action="store_true", help="Only list whose data is removed when")
        parser.add_argument("--json", action="store_true", help="Print JSON lines")

    def handle(self, *args: Any, **options: Any) -> None:
        now, removed = clock.now(), 0
        further = (each for find in FURTHER_REMOVALS for each in find())
        for each in sorted([*map(_of_guest, removals()), *further], key=lambda each: each.due_at):
            is_due = each.due_at <= now
            if options["preview"]:
                self._tell(each, "due" if is_due else "kept", as_json=options["json"])
            elif is_due:
                try:
                    people = each.remove()
                except NotYet:
                    self._tell(each, "waits for its session", as_json=options["json"])
                else:
                    removed += people
                    self._tell(each, "removed", as_json=options["json"])
        if not options["json"]:
            self.stdout.write(
                "nothing was removed" if not removed else f"removed the data of {removed} people"
            )

    def _tell(self, each: Removal, state: str, *, as_json: bool) -> None:
        if as_json:
            row = {"due": each.due_at.isoformat(), **each.row, "state": state}
            self.stdout.write(json.dumps(row, ensure_ascii=False))
            return
        self.stdout.write(f"{each.due_at:%Y-%m-%d %H:%M}  {state}: {each.words}")


def _of_guest(due: DueRemoval) -> Removal:
    guest, session = due.guest, due.guest.seat.session_id
    study = f" of study {due.study}" if due.study else ""

    def remove() -> int:
        erase(guest.pk, by=RETENTION)
        return 1

    return Removal(
        due_at=due.due_at,
        words=f"{guest.pk}, {guest.seat.name} in session {session}{study}",
        row={"study": due.study, "session": session, "seat": guest.seat.name, "guest": guest.pk},
        remove=remove,
    )
