"""Keeping leases alive while a step takes long."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from django.db import close_old_connections

from webapp.sessions.services import Claim, renew

BEAT_S = 3.0
log = logging.getLogger(__name__)


class Heart:
    """One thread a process that renews every lease held in it."""

    def __init__(self) -> None:
        self._held: set[Claim] = set()
        self._lock = threading.Lock()
        threading.Thread(target=self._run, name="lease-heart", daemon=True).start()

    @contextmanager
    def holding(self, claimed: Claim) -> Iterator[None]:
        """Renew this lease until the block ends."""
        with self._lock:
            self._held.add(claimed)
        try:
            yield
        finally:
            with self._lock:
                self._held.discard(claimed)

    def _run(self) -> None:
        pause = threading.Event()
        while not pause.wait(BEAT_S):
            with self._lock:
                held = list(self._held)
            try:
                _renew(held)
            except Exception as error:  # the next beat may succeed; a dead heart never does
                log.warning("leases not renewed: %s", error)


def _renew(held: list[Claim]) -> None:
    if not held:
        return
    try:
        for claimed in held:
            renew(claimed=claimed)
    finally:
        close_old_connections()


@lru_cache(maxsize=1)
def heart() -> Heart:
    """The process's heart, made when first needed (after a fork)."""
    return Heart()
