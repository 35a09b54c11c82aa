"""A gate in each worker process that lets few of its threads compute at once, in the order in which they came.

Python runs one thread at a time. Where sixteen sessions compute side by side, all of them are late, and then ask
their models at the same moment, again and again. One after another, the first are early, and the next fall between.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

PLACES = 2
"""One thread computes while another one waits for the database."""
PATIENCE_S = 1.0
"""A thread that has waited so long goes on beside the others: a long computation must not hold up short ones."""


class Gate:
    """Places for threads that compute. A thread leaves its place while it waits for somebody, such as a model."""

    def __init__(self, places: int = PLACES, patience_s: float = PATIENCE_S) -> None:
        self._places = threading.Semaphore(places)
        self._patience_s = patience_s
        self._thread = threading.local()

    @contextmanager
    def compute(self) -> Iterator[None]:
        """Compute in a place until the block ends; without one where none gets free in time."""
        self._enter()
        try:
            yield
        finally:
            self._leave()

    @contextmanager
    def wait_outside(self) -> Iterator[None]:
        """Leave the thread's place, if it computes in one, until the block ends."""
        if not self._is_inside():
            yield
            return
        self._leave()
        try:
            yield
        finally:
            self._enter()

    def _is_inside(self) -> bool:
        return getattr(self._thread, "has_place", None) is not None

    def _enter(self) -> None:
        self._thread.has_place = self._places.acquire(timeout=self._patience_s)

    def _leave(self) -> None:
        if self._thread.has_place:
            self._places.release()
        self._thread.has_place = None


gate = Gate()
