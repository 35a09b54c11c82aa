"""Pools of workers: each takes the jobs of the queues that CARAVAN_QUEUES names, of all where it names none."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from webapp.jobs.models import Lane
from webapp.processes.models import Kind
from webapp.processes.selectors import living


def served_lanes() -> list[Lane]:
    """The lanes that a worker of these settings takes jobs from.

    Raises:
        django.core.exceptions.ImproperlyConfigured: CARAVAN_QUEUES names one that there is not.
    """
    names = [name.strip() for name in settings.CARAVAN_QUEUES]
    for name in names:
        if name not in Lane.values:
            raise ImproperlyConfigured(
                f"CARAVAN_QUEUES has “{name}”, which is no queue: name some of {', '.join(Lane.values)} with commas "
                "between them, or leave it out for all"
            )
    return [lane for lane in Lane if lane in names] if names else list(Lane)


def deserted_lanes() -> set[Lane]:
    """The lanes from which no living worker takes jobs."""
    rows = living().filter(kind=Kind.WORKER).values_list("queues", flat=True)
    return {lane for lane in Lane if not any(not queues or lane in queues for queues in rows)}
