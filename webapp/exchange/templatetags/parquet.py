"""What menus of files offer beside the usual: Parquet, sets of training."""

from __future__ import annotations

from django import template

from benchmark.exports.rows import parquet_is_here as is_here
from benchmark.suites import suite_named
from webapp.exchange.training import LABELS, PARQUET
from webapp.sessions.models import Run

register = template.Library()


@register.simple_tag
def training_files(run: Run) -> list[tuple[str, str]]:
    """The sets of training of a run: the format of each, and what it is called; none of most benchmarks."""
    if suite_named(run.suite).training is None:
        return []
    ends = {"": "JSONL", **({PARQUET: "Parquet"} if is_here() else {})}
    return [
        (f"{name}{end}", f"{label} ({kind})") for name, label in LABELS.items() for end, kind in ends.items()
    ]


@register.simple_tag
def parquet_is_here() -> bool:
    """Whether it can be written here."""
    return is_here()
