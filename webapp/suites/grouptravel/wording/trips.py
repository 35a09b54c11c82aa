"""What a task is called."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import ngettext


def trip_title(task: Any) -> str:
    """Cities · days · travellers, as far as they are known."""
    return " · ".join(_trip(task))


def _trip(task: Any) -> Iterator[str]:
    if task.cities:
        yield "、".join(task.cities)
    if task.days:
        yield ngettext("%(n)s day", "%(n)s days", task.days) % {"n": task.days}
    if task.size:
        yield ngettext("%(n)s traveller", "%(n)s travellers", task.size) % {"n": task.size}
