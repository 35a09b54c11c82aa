"""Saying once that something is away, and once that it is back."""

from __future__ import annotations

import logging
import threading
import time


class Outage:
    """One line when it begins and one when it ends, however often it is met in between. Any thread may call it.

    what: the subject of both lines, such as "viewers are not woken". calm_s: it is over only when it was not met for
    so long, where one thread meets it while another already succeeds.
    """

    def __init__(self, log: logging.Logger, what: str, *, calm_s: float = 0.0) -> None:
        self._log, self._what, self._calm_s = log, what, calm_s
        self._failures = 0
        self._last = 0.0
        self._lock = threading.Lock()

    def report_failure(self, error: BaseException | str) -> None:
        """It failed just now."""
        with self._lock:
            self._failures += 1
            self._last = time.monotonic()
            first = self._failures == 1
        if first:
            self._log.warning("%s: %s (said once until it is over)", self._what, error)

    def report_recovery(self) -> None:
        """It worked just now."""
        if not self._failures:
            return
        with self._lock:
            if time.monotonic() - self._last < self._calm_s:
                return
            missed, self._failures = self._failures, 0
        if missed:
            self._log.warning("%s: over; it happened %d times", self._what, missed)
