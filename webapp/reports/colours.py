"""Steady colours: names of CSS variables, which each theme fills."""

from __future__ import annotations

from collections.abc import Sequence

from benchmark.reports.parts.completion import REASONS

MUTED_COLOUR = "var(--muted)"


OWN = 2
"""Colours for the endings that a benchmark has of its own; more have none."""


def colour_of(column: str, value: str, runs: Sequence[str], endings: Sequence[str]) -> str:
    """The colour of a run, a rating or a reason, the same in every chart of a report.

    endings: the reasons that the benchmark has of its own.
    """
    if column == "run" and value in runs:
        return f"var(--run{runs.index(value) + 1})"
    if column == "rating":
        return f"var(--rating{value})"
    if column == "reason" and value in endings[:OWN]:
        return f"var(--reason{endings.index(value) + 1})"
    if column == "reason" and value in REASONS:
        return f"var(--reason{REASONS.index(value) + OWN + 1})"
    return MUTED_COLOUR
