"""Looks at what may be slow or hang, for many who ask."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

T = TypeVar("T")


class BoundedLook(Generic[T]):
    """One look at a time, in a thread of its own, whose outcome is kept for a while.

    look: may hang; then its thread waits, and no second one is begun. keep_s: how long an outcome is told again.
    patience_s: how long after its begin a look is waited for.
    """

    def __init__(self, look: Callable[[], T], *, keep_s: float, patience_s: float) -> None:
        self._look, self._keep_s, self._patience_s = look, keep_s, patience_s
        self._outcome: Future[T] | None = None
        self._begun_at = self._ended_at = 0.0
        self._lock = threading.Lock()

    def find(self) -> T:
        """What the look found.

        Raises:
            TimeoutError: it takes too long.
            Exception: what the look has raised.
        """
        with self._lock:
            if self._outcome is None or (self._outcome.done() and not self._is_fresh()):
                self._outcome, self._begun_at = Future(), time.monotonic()
                threading.Thread(target=self._run, args=(self._outcome,), name="look", daemon=True).start()
            outcome, left_s = self._outcome, self._begun_at + self._patience_s - time.monotonic()
        return outcome.result(max(left_s, 0.0))

    def _is_fresh(self) -> bool:
        return time.monotonic() - self._ended_at < self._keep_s

    def _run(self, outcome: Future[T]) -> None:
        try:
            found = self._look()
        except Exception as error:  # whoever asked is told
            self._ended_at = time.monotonic()
            outcome.set_exception(error)
        else:
            self._ended_at = time.monotonic()
            outcome.set_result(found)
