"""Minutes of a day and their written form."""

from __future__ import annotations

from benchmark.text import guarded

_CLOCK = guarded.compile(r"^(\d{1,2}):(\d{2})$")
CLOCK = tuple(f"{minute // 60:02d}:{minute % 60:02d}" for minute in range(24 * 60))


def minutes(text: object) -> int | None:
    """Minutes after midnight of a written time (24:00 is 1440); None for anything else."""
    match = _CLOCK.match(text.strip()) if isinstance(text, str) else None
    if match is None:
        return None
    value = int(match.group(1)) * 60 + int(match.group(2))
    return value if value <= 24 * 60 and int(match.group(2)) < 60 else None


def written(minute: int) -> str:
    """HH:MM, zero padded; the caller keeps `minute` within 0 to 1439."""
    return CLOCK[minute]
