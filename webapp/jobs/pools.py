"""Pools of workers: each takes the jobs of the queues that CARAVAN_QUEUES names, of all where it names none."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import models
from django.utils.translation import gettext_lazy as _

from webapp.processes.models import Kind
from webapp.processes.selectors import living


class Queue(models.TextChoices):
    """The queues at the broker. A kind of jobs has one, by what its jobs need most."""

    # A person waits for it: such jobs have threads of their own in each worker of the queue.
    SHORT = "short", _("short jobs")
    # It talks with models: sessions, and what models are asked for.
    MODELS = "models", _("models")
    JUDGING = "judging", _("judging")
    # It computes with worlds, tools and tasks.
    TOOLS = "tools", _("tools")
    # Nobody asked for it: scores by newer code, the index of the search, archives.
    MAINTENANCE = "maintenance", _("maintenance")


def served_queues() -> list[Queue]:
    """The queues that a worker of these settings takes jobs from.

    Raises:
        django.core.exceptions.ImproperlyConfigured: CARAVAN_QUEUES names one that there is not.
    """
    names = [name.strip() for name in settings.CARAVAN_QUEUES]
    for name in names:
        if name not in Queue.values:
            raise ImproperlyConfigured(
                f"CARAVAN_QUEUES has “{name}”, which is no queue: name some of {', '.join(Queue.values)} with "
                "commas between them, or leave it out for all"
            )
    return [queue for queue in Queue if queue in names] if names else list(Queue)


def deserted_queues() -> set[Queue]:
    """The queues from which no living worker takes jobs."""
    rows = living().filter(kind=Kind.WORKER).values_list("queues", flat=True)
    return {queue for queue in Queue if not any(not queues or queue in queues for queues in rows)}
