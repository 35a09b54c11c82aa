"""The metrics of runs that every suite has: how many sessions gave plans, and how they used tools."""

from __future__ import annotations

from collections.abc import Sequence

from benchmark.core.tool_use import ToolUse
from benchmark.metrics.declaring import Metric, RunRule, Trial, Values
from benchmark.metrics.declaring import gettext_noop as _


def told_values(*, planned: bool, use: ToolUse) -> Values:
    """What SHARED needs to know of a session. use: of all its tools."""
    return {
        "planned": float(planned),
        "calls": use.calls,
        "hits": use.hits,
        "answered": use.hits + use.misses,
        "simulated": use.simulated,
        "errors": use.error_count,
    }


def share(part: str, whole: str = "") -> RunRule:
    """The sum of one value over the sum of another; without `whole`, over the number of sessions."""

    def rule(trials: Sequence[Trial]) -> float | None:
        below = _sum(trials, whole) if whole else len(trials)
        return _sum(trials, part) / below if below else None

    return rule


def _sum(trials: Sequence[Trial], key: str) -> float:
    return sum([trial.values.get(key) or 0 for trial in trials])


SHARED = (
    Metric(
        key="plans",
        label=_("plans"),
        name=_("share of sessions with a plan"),
        unit="share",
        digits=1,
        scope="run",
        of_run=share("planned"),
    ),
    Metric(
        key="hit_rate",
        label=_("hits"),
        name=_("share of answered tool calls that the cache knew"),
        unit="share",
        digits=1,
        scope="run",
        of_run=share("hits", "answered"),
    ),
    Metric(
        key="calls",
        label=_("calls"),
        name=_("tool calls a session"),
        better="low",
        scope="run",
        of_run=share("calls"),
    ),
    Metric(
        key="simulated",
        label=_("simulated"),
        name=_("share of answered tool calls that were simulated"),
        unit="share",
        better="low",
        digits=1,
        scope="run",
        of_run=share("simulated", "answered"),
    ),
    Metric(
        key="errors",
        label=_("errors"),
        name=_("tool errors a session"),
        better="low",
        scope="run",
        of_run=share("errors"),
    ),
)
OF_CACHES = ("hit_rate", "simulated")
"""The metrics that have a meaning only where a cache answers."""
TAKEN = frozenset({"counted", *told_values(planned=False, use=ToolUse()), *(metric.key for metric in SHARED)})
"""Keys that no metric of a suite can have: its values stand beside the figures of these names."""
