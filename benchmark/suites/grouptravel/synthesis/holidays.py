"""On which public holidays trips fall (`holidays` package: China, with announced substitutions)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from functools import cache
from typing import Any

from benchmark.suites.grouptravel.tasks.task import Task


def count_holidays(tasks: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How many trips touch each holiday, by its English name, the most frequent first."""
    counts: Counter[str] = Counter()
    for task in tasks:
        read = Task.model_validate(task)
        counts.update(holidays_in(date.fromisoformat(read.time), read.days or 1))
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def holidays_in(start: date, days: int) -> tuple[str, ...]:
    """The holidays on days of a trip, each once."""
    names = (_name(start + timedelta(days=day)) for day in range(days))
    return tuple(dict.fromkeys(name for name in names if name))


def _name(day: date) -> str:
    return _china(day.year).get(day, "")


@cache
def _china(year: int) -> Mapping[date, str]:
    """The days off of a year by name; those in lieu of a weekend are `Day off`."""
    import holidays  # late: it is large

    days = holidays.country_holidays("CN", years=year, language="en_US")
    return {day: name.partition(" (")[0] for day, name in days.items()}
