"""Statistics of a set of tasks as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from benchmark.suites.grouptravel.statistics.dataset import Dataset, duration, mean, middle, share, spread
from benchmark.suites.grouptravel.statistics.targets import Comparison, comparisons
from benchmark.suites.grouptravel.statistics.task import Remark, TaskFigures


def statistics_json(data: Dataset) -> dict[str, Any]:
    """tasks: one by one. all: over all of them. compared: with the paper. remarks: what is odd.

    Fields have the paper's names; conflicts are over ordered pairs of users; budgets are in CNY. A figure that no
    tasks have is null.
    """
    return {
        "tasks": [_task(task) for task in data.tasks],
        "all": _all(data),
        "compared": [_comparison_json(comparison) for comparison in comparisons(data)],
        "remarks": [_remark(remark) for remark in data.remarks],
    }


def _task(task: TaskFigures) -> dict[str, Any]:
    return {
        "task_id": task.task_id,
        "users": task.people,
        "tables": task.tables,
        "cities": len(task.cities),
        "days": task.days,
        "difficulty_score": task.score,
        "difficulty_type": task.difficulty,
        "items": sum(task.items.values()),
        "items_by_user": dict(sorted(task.items.items())),
        "conflicts": sum(task.conflicts.values()),
        "conflicts_by_source": dict(task.conflicts),
    }


def _all(data: Dataset) -> dict[str, Any]:
    return {
        "tables": data.tables,
        "items": data.items,
        "items_per_user": _round_figure(share(data.items, data.tables), 4),
        "fields": dict(sorted(data.fields.items())),
        "conflicts_mean": _round_figure(mean(data.conflicts), 4),
        "conflicts_median": _round_figure(middle(data.conflicts), 4),
        "conflicts_max": max(data.conflicts, default=None),
        "tasks_with_conflict": data.with_conflict,
        "conflicts_by_source": data.by_source,
        "tasks_by_source": data.tasks_by_source,
        "conflicts_by_difficulty": {
            name: {
                "mean": _round_figure(mean(level.conflicts), 4),
                "tasks_with_conflict": level.with_conflict,
            }
            for name, level in data.by_difficulty.items()
        },
        "conflict_buckets": data.conflict_buckets(),
        "transport_must_vs_reject_tasks": data.insisted,
        "compromisable": data.compromisable,
        "coverage": {name: _round_figure(value, 4) for name, value in data.coverage.items()},
        "budget": {name: _round_figure(value, 2) for name, value in spread(data.budgets).items()},
        "difficulty": {name: len(level.tasks) for name, level in data.by_difficulty.items()},
        "archetypes": dict(sorted(data.archetypes.items())),
        **_dimensions(data),
        "destinations": _by_count(data.destinations),
        "departures": _by_count(data.departures),
        "dates": {
            "first": _iso(min(data.days, default=None)),
            "last": _iso(max(data.days, default=None)),
            "by_month": dict(sorted(Counter(f"{day:%Y-%m}" for day in data.days).items())),
        },
    }


def _dimensions(data: Dataset) -> dict[str, Any]:
    """Table 8 without its crossing."""
    return {
        "sizes": _sort_counts(Counter(str(task.people) for task in data.tasks)),
        "city_counts": _sort_counts(Counter(str(len(task.cities)) for task in data.tasks)),
        "durations": _sort_counts(Counter(duration(task.days) for task in data.tasks)),
        "cross_tabulation": {
            name: {
                dimension: _sort_counts(
                    {
                        value: n
                        for (of, value, dimension_name), n in data.counts_by_size.items()
                        if (of, dimension_name) == (dimension, name)
                    }
                )
                for dimension in ("users", "cities", "days")
            }
            for name in data.by_difficulty
        },
    }


def _sort_counts(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items()))


def _by_count(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))


def _comparison_json(comparison: Comparison) -> dict[str, Any]:
    return {
        "figure": comparison.figure,
        "ours": _round_figure(comparison.ours, 4),
        "theirs": comparison.theirs,
        "expected": _round_figure(comparison.expectation, 4),
        "ratio": _round_figure(comparison.ratio, 4),
        "tolerance": comparison.tolerance,
        "within": comparison.is_within,
        "ref": comparison.ref,
    }


def _remark(remark: Remark) -> dict[str, Any]:
    return {name: value for name, value in remark._asdict().items() if value != ""}


def _iso(day: Any) -> str | None:
    return None if day is None else str(day.isoformat())


def _round_figure(value: float | None, places: int) -> float | None:
    """Whole numbers as such."""
    if value is None:
        return None
    figure = round(value, places)
    return int(figure) if figure == int(figure) else figure
