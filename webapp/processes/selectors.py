"""Which processes live."""

from __future__ import annotations

from django.db.models import QuerySet

from webapp import clock
from webapp.counters import Counts, sum_of
from webapp.processes.models import Kind, Process
from webapp.processes.services import SILENT


def living() -> QuerySet[Process]:
    """The processes that were heard of lately, the oldest first."""
    return Process.objects.exclude(kind=Kind.ENDED).filter(seen_at__gte=clock.now() - SILENT).order_by("pk")


def counts_of_all() -> Counts:
    """What all processes have counted that ever were. One statement: a process that ends meanwhile counts once."""
    return sum_of(process.counts for process in Process.objects.only("counts"))
