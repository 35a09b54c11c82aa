"""Which processes live."""

from __future__ import annotations

from django.db.models import QuerySet

from webapp import clock
from webapp.processes.models import Process
from webapp.processes.services import SILENT


def living() -> QuerySet[Process]:
    """The processes that were heard of lately, the oldest first."""
    return Process.objects.filter(seen_at__gte=clock.now() - SILENT).order_by("pk")
