"""The columns of the table of runs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from django.utils.translation import gettext_lazy

from benchmark.metrics import Metric
from benchmark.suites import SUITES
from webapp.sessions.models import Mode
from webapp.tables.columns import Column, column, time, whole
from webapp.tables.models import RunEntry
from webapp.wording.metrics import columns_together, listed_together, mean_digits, run_head

PLAIN = (
    column("created", gettext_lazy("created"), "time", time, field="created_at"),
    column("name", gettext_lazy("name")),
    replace(column("progress", gettext_lazy("progress"), "number", whole, field="ended"), aligned=False),
    column("sessions", gettext_lazy("sessions"), "number", whole),
    column("mode", gettext_lazy("mode"), words=lambda value: str(Mode(value).label)),
    column("cache", gettext_lazy("cache")),
    column("agent", gettext_lazy("agent")),
    column("model", gettext_lazy("agent's model")),
    column("users", gettext_lazy("users")),
    column("user_model", gettext_lazy("travellers' model")),
    column("world", gettext_lazy("world")),
)
"""Those that runs of every benchmark have."""
USUAL = ("progress", "mode", "agent", "users", "world")
"""Shown until somebody chooses, before the metrics and the time at which it was created."""


def columns(suites: Collection[str]) -> dict[str, Column]:
    """All columns by key: the plain ones, then a metric each of these benchmarks."""
    by_key = {column.key: column for column in PLAIN}
    return by_key | {metric.key: _of_metric(metric) for metric in columns_together(suites)}


def _of_metric(metric: Metric) -> Column:
    def words(row: RunEntry) -> str:
        return mean_digits(metric, row.values.get(metric.key))

    head, low_first = run_head(metric), metric.better == "low"
    read = partial(_value, metric.key)
    return Column(
        metric.key,
        head.label,
        "number",
        read,
        words,
        value=metric.key,
        low_first=low_first,
        title=head.title,
        scale=metric.scale,
        digits=metric.digits,
    )


def _value(key: str, row: RunEntry) -> Any:
    return row.values.get(key)


def usual(known: Mapping[str, Column], suites: Collection[str] = SUITES) -> list[str]:
    """The keys of the columns that are shown until somebody chooses, of runs of these benchmarks."""
    listed = {metric.key for metric in listed_together(suite for suite in SUITES if suite in suites)}
    return [*USUAL, *(key for key in known if key in listed), "created"]
