"""Clock times and dates as a plan writes them."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import Any

from benchmark.text import guarded

_CLOCK = guarded.compile(r"(2[0-3]|[01]\d|\d):([0-5]\d|\d)")
_DATE = guarded.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")


def minutes(value: Any) -> int | None:
    """Minutes since midnight of a time such as "09:30"; None when it is not text of the form %H:%M.

    As in the C library's reading of that form "9:00" and "9:5" are times, "24:00" and "09:00:00" are not.
    """
    return _minutes(value) if isinstance(value, str) else None


@lru_cache(maxsize=4096)
def _minutes(text: str) -> int | None:
    match = _CLOCK.fullmatch(text)
    return int(match[1]) * 60 + int(match[2]) if match else None


@lru_cache(maxsize=4096)
def _calendar_day(text: str) -> date | None:
    match = _DATE.fullmatch(text)
    try:
        return date(int(match[1]), int(match[2]), int(match[3])) if match else None
    except ValueError:
        return None


def calendar_day(value: Any) -> date | None:
    """The date of a text such as "2026-02-03"; None when it is none."""
    return _calendar_day(value) if isinstance(value, str) else None


def hour_text(total: int) -> str:
    """Minutes since midnight as HH:MM; the day wraps at 24:00."""
    return f"{total // 60 % 24:02d}:{total % 60:02d}"
