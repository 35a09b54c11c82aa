"""The worker's pulse: a file that grows old when no message comes through any more."""

from __future__ import annotations

import time
from pathlib import Path

from django.conf import settings


def pulse_file() -> Path:
    """Where the time of the last message that a worker of this data folder handled is kept."""
    return Path(settings.CARAVAN_DATA) / "run" / "worker.pulse"


def beat() -> None:
    """A message was handled just now."""
    path = pulse_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()


def age_s() -> float | None:
    """Seconds since the last beat, None when there was none."""
    try:
        return time.time() - pulse_file().stat().st_mtime
    except FileNotFoundError:
        return None
