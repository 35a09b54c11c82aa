"""The background work on caches."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from webapp.caches.models import ToolCache
from webapp.jobs import services
from webapp.jobs.kinds import Kind, register, rows_of
from webapp.jobs.pools import Queue


def _cancel(name: str) -> None:
    services.cancel(kind=INDEX, subject=name)


INDEX = register(
    Kind(
        "cache_index",
        _("Index of a cache"),
        link=lambda job: reverse("cache", args=[job.subject]),
        queue=Queue.SHORT,
        existing_subjects=rows_of(ToolCache.objects.all, "name"),
        cancel=_cancel,
    )
)
