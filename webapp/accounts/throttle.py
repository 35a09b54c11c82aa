"""How often signing in may be tried: by name, and by address."""

from __future__ import annotations

import time
from functools import lru_cache
from typing import Final

from django.conf import settings
from django.http import HttpRequest
from limits import RateLimitItemPerMinute
from limits.errors import StorageError
from limits.storage import MemoryStorage, storage_from_string
from limits.strategies import MovingWindowRateLimiter

from webapp.accounts.addresses import client_address

BY_NAME: Final = RateLimitItemPerMinute(10, 15, namespace="signin-name")
BY_ADDRESS: Final = RateLimitItemPerMinute(30, 15, namespace="signin-address")


class TooManyTries(Exception):
    """Signing in was tried too often. wait_s: seconds until it may be tried again."""

    def __init__(self, wait_s: int) -> None:
        super().__init__(f"again in {wait_s} s")
        self.wait_s = wait_s


def count_try(*, request: HttpRequest, username: str) -> None:
    """Count a try before its password is looked at, so that tries at the same moment all count.

    Raises:
        TooManyTries: this name or this address has no try left.
    """
    try:
        _count(_shared(), request, username)
    except StorageError:
        _count(_own(), request, username)


def forget_tries(*, username: str) -> None:
    """Give a name all its tries back after the right password. The address keeps its count."""
    for limiter in (_shared(), _own()):
        try:
            limiter.clear(BY_NAME, _folded(username))
        except StorageError:
            continue


def _count(limiter: MovingWindowRateLimiter, request: HttpRequest, username: str) -> None:
    keys = ((BY_ADDRESS, client_address(request) or "unknown"), (BY_NAME, _folded(username)))
    for item, key in keys:
        if not limiter.hit(item, key):
            free_at = limiter.get_window_stats(item, key).reset_time
            raise TooManyTries(max(1, round(free_at - time.time())))


def _folded(username: str) -> str:
    return username.strip().casefold()


@lru_cache(maxsize=1)
def _shared() -> MovingWindowRateLimiter:
    """One count of all processes, in Redis."""
    return MovingWindowRateLimiter(storage_from_string(settings.COUNTERS_URI, wrap_exceptions=True))


@lru_cache(maxsize=1)
def _own() -> MovingWindowRateLimiter:
    """This process's own count, for as long as Redis is away."""
    return MovingWindowRateLimiter(MemoryStorage())
