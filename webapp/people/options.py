"""The option of a command that says to what study its sessions belong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError

from webapp.commands import BAD_INPUT, row_named
from webapp.endpoints.choice import SeatPlayer, from_outside
from webapp.people.models import Study
from webapp.sessions.studies import waiting


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
