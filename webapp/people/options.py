"""The option of a command that says to what study its sessions belong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import QuerySet

from benchmark.core.participant import OUTSIDE_KINDS
from webapp.commands import BAD_INPUT, row_named, server_address
from webapp.endpoints.choice import SeatPlayer, from_outside
from webapp.people.models import Study
from webapp.seats.models import Seat
from webapp.sessions.studies import waiting

WAITING_WORDS = "The command waits for the end; Ctrl-C leaves what is left to the workers (make run)."


def add_study_argument(parser: Any) -> None:
    """`--study`."""
    parser.add_argument(
        "--study",
        default="",
        metavar="NAME",
        help="What people who take seats (--seat NAME=person) are told, and how they are waited for; by default the "
        "standard settings",
    )


def study_of_options(
    options: Mapping[str, Any], agent: str, users: str, seats: Mapping[str, SeatPlayer], *, new: bool = True
) -> dict[str, Any]:
    """What `webapp.sessions.studies.waiting` gives, nothing where no person and no program takes a seat.

    Raises:
        CommandError: there is no such study, or nobody to whom it applies.
    """
    study = row_named(Study.objects.all(), options["study"], "study") if options["study"] else None
    if from_outside([agent, users, *(seated.kind for seated in seats.values())]):
        return waiting(study, new=new)
    if study is not None:
        said = "--study is for seats that a person or a program takes, such as --seat User2=person"
        raise CommandError(said, returncode=BAD_INPUT)
    return {}


def tell_links(command: BaseCommand, seats: QuerySet[Seat], page: str, *, waits: bool) -> None:
    """Say where the links to the seats of people and programs are, if there are such seats.

    page: its path. waits: whether the command goes on until everything has ended.
    """
    if not seats.filter(kind__in=OUTSIDE_KINDS).exists():
        return
    command.stderr.write(f"links to the seats: {server_address()}{page}")
    if waits:
        command.stderr.write(WAITING_WORDS)
