"""What commands take of runs and sessions."""

from __future__ import annotations

from django.core.management.base import CommandError

from webapp.commands import BAD_INPUT
from webapp.sessions.models import Run


def run_named(named: str) -> Run:
    """The run of this id, else the one of this name.

    Raises:
        CommandError: there is none, or several have the name.
    """
    by_name = Run.objects.filter(name=named)
    run = Run.objects.filter(pk=named).first() or (by_name.first() if by_name.count() == 1 else None)
    if run is not None:
        return run
    if ids := list(by_name.order_by("created_at").values_list("pk", flat=True)):
        said = f"{len(ids)} runs are called “{named}”: give the id of one, {', '.join(ids)}"
        raise CommandError(said, returncode=BAD_INPUT)
    raise CommandError(
        f"there is no run {named}; give the id of a run, which its page tells, or its name",
        returncode=BAD_INPUT,
    )
