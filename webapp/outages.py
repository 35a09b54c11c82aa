"""Saying once that something is away, and once that it is back."""

from __future__ import annotations

import logging
import threading


class Outage:
    """One line when it begins and one when it ends, however often it is met in between. Any thread may call it.

    what: the subject of both lines, such as "viewers are not woken".
    """

    def __init__(self, log: logging.Logger, what: str) -> None:
        self._log, self._what = log, what
        self._missed = 0
        self._lock = threading.Lock()

    def met(self, error: BaseException | str) -> None:
        """It failed just now."""
        with self._lock:
            self._missed += 1
            first = self._missed == 1
        if first:
            self._log.warning("%s: %s (said once until it is over)", self._what, error)

    def over(self) -> None:
        """It worked just now."""
        if not self._missed:
            return
        with self._lock:
            missed, self._missed = self._missed, 0
        if missed:
            self._log.warning("%s: over; it happened %d times", self._what, missed)
