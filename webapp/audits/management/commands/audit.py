"""`manage.py audit`: who saw, exported and removed personal data, as lines of JSON."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import orjson
from django.core.management.base import CommandError, CommandParser
from django.utils import timezone
from django.utils.dateparse import parse_date

from webapp.audits.models import Access
from webapp.commands import BAD_INPUT, DatabaseCommand

FIELDS = ("at", "name", "act", "way", "place", "kind", "subject", "people")
AT_ONCE = 2000


class Command(DatabaseCommand):
    help = "Print who saw, exported and removed personal data, the oldest first, one JSON object a line."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--since", metavar="YYYY-MM-DD", help="From this day on")
        parser.add_argument("--until", metavar="YYYY-MM-DD", help="Before this day")
        parser.add_argument("--account", help="Of one account")

    def handle(self, *args: Any, **options: Any) -> None:
        rows = Access.objects.order_by("pk")
        for name, lookup in (("since", "at__gte"), ("until", "at__lt")):
            if options[name]:
                rows = rows.filter(**{lookup: _day(name, options[name])})
        if options["account"]:
            rows = rows.filter(name=options["account"])
        for row in rows.values(*FIELDS).iterator(chunk_size=AT_ONCE):
            self.stdout.write(orjson.dumps(row).decode())


def _day(option: str, given: str) -> datetime:
    try:
        day = parse_date(given)
    except ValueError:
        day = None
    if day is None:
        raise CommandError(f"--{option} is “{given}”: give a day as YYYY-MM-DD", returncode=BAD_INPUT)
    return timezone.make_aware(datetime(day.year, day.month, day.day))
