"""Keeping to a number of requests a second."""

from __future__ import annotations

import time

from limits import RateLimitItemPerSecond
from limits.errors import StorageError
from limits.storage import MovingWindowSupport, storage_from_string
from limits.strategies import MovingWindowRateLimiter

from sandbox.backends.amap.failures import queue_too_long, uncounted

LONGEST_WAIT_S = 30.0
_SHORTEST_PAUSE_S, _LONGEST_PAUSE_S = 0.01, 1.0


class Turns:
    """A moving window of one second, for all who share the storage and `identity`. Safe to share by threads."""

    def __init__(self, per_second: int, storage_uri: str, identity: str) -> None:
        storage = storage_from_string(storage_uri, wrap_exceptions=True)
        if not isinstance(storage, MovingWindowSupport):
            raise ValueError("the storage of the rate limit must be memory:// or redis://…")
        self._limiter = MovingWindowRateLimiter(storage)
        self._item = RateLimitItemPerSecond(per_second)
        self._identity = identity

    def take(self) -> None:
        """Wait until one more request fits.

        Raises:
            AmapFailure: none does within LONGEST_WAIT_S, or the storage cannot be reached.
        """
        end = time.monotonic() + LONGEST_WAIT_S
        try:
            while not self._limiter.hit(self._item, self._identity):
                pause = self._pause()
                if time.monotonic() + pause > end:
                    raise queue_too_long(LONGEST_WAIT_S)
                time.sleep(pause)
        except StorageError as error:
            raise uncounted("the storage of the rate limit cannot be reached") from error

    def _pause(self) -> float:
        """Seconds until the oldest request leaves the window; the storage's clock may differ from this one."""
        freed = self._limiter.get_window_stats(self._item, self._identity).reset_time - time.time()
        return min(max(freed, _SHORTEST_PAUSE_S), _LONGEST_PAUSE_S)
