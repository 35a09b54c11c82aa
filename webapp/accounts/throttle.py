"""How often signing in may be tried.

Tries are counted by address, and by name and address together, so that a stranger uses up nobody else's. Many
addresses together have a limit for a name, too. Browsers that the account was signed in from have tries of their own,
which no stranger can use up.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from django.conf import settings
from django.http import HttpRequest
from limits import RateLimitItem, RateLimitItemPerMinute
from limits.errors import StorageError
from limits.storage import MemoryStorage, storage_from_string
from limits.strategies import MovingWindowRateLimiter

from webapp.accounts.addresses import client_address
from webapp.accounts.browsers import mark_of

BY_NAME_HERE: Final = RateLimitItemPerMinute(10, 15, namespace="signin-name-here")
BY_NAME: Final = RateLimitItemPerMinute(100, 15, namespace="signin-name")
BY_BROWSER: Final = RateLimitItemPerMinute(10, 15, namespace="signin-browser")
BY_ADDRESS: Final = RateLimitItemPerMinute(30, 15, namespace="signin-address")


class TooManyTries(Exception):
    """Signing in was tried too often. wait_s: seconds until it may be tried again."""

    def __init__(self, wait_s: int) -> None:
        super().__init__(f"again in {wait_s} s")
        self.wait_s = wait_s


def count_try(*, request: HttpRequest, username: str) -> None:
    """Count a try before its password is looked at, so that tries at the same moment all count.

    Raises:
        TooManyTries: this name has no try left from here, or this address has none.
    """
    counts = _counts(request, username)
    try:
        _count(redis_limiter(), counts)
    except StorageError:
        _count(own_limiter(), counts)


def forget_tries(*, request: HttpRequest, username: str) -> None:
    """Give a name all its tries from here back after the right password. What others have tried stays counted."""
    for limiter in (redis_limiter(), own_limiter()):
        for item, *key in _counts(request, username):
            if item in (BY_NAME_HERE, BY_BROWSER):
                with suppress(StorageError):
                    limiter.clear(item, *key)


def _counts(request: HttpRequest, username: str) -> list[tuple[RateLimitItem, *tuple[str, ...]]]:
    """Whose tries are counted, the narrowest last but one: what it refuses counts for no name."""
    name, mark = username.strip().casefold(), mark_of(request, username)
    if mark:
        return [(BY_BROWSER, mark)]
    here = neighbourhood_of(client_address(request))
    return [(BY_ADDRESS, here), (BY_NAME_HERE, name, here), (BY_NAME, name)]


def neighbourhood_of(address: str) -> str:
    """The address; of IPv6 the network of 64 bits, all of which one machine may have."""
    try:
        known = ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(known, IPv6Address):
        return str(known.ipv4_mapped or ip_network((known, 64), strict=False))
    return str(known)


def _count(
    limiter: MovingWindowRateLimiter, counts: Iterable[tuple[RateLimitItem, *tuple[str, ...]]]
) -> None:
    for item, *key in counts:
        if not limiter.hit(item, *key):
            free_at = limiter.get_window_stats(item, *key).reset_time
            raise TooManyTries(max(1, round(free_at - time.time())))


def seconds_to_wait(item: RateLimitItem, key: str) -> int:
    """Count one of `key`, together with all processes; gives 0, or the seconds until it may be tried again."""
    try:
        return _seconds_by(redis_limiter(), item, key)
    except StorageError:
        return _seconds_by(own_limiter(), item, key)


def _seconds_by(limiter: MovingWindowRateLimiter, item: RateLimitItem, key: str) -> int:
    if limiter.hit(item, key):
        return 0
    return max(1, round(limiter.get_window_stats(item, key).reset_time - time.time()))


@lru_cache(maxsize=1)
def redis_limiter() -> MovingWindowRateLimiter:
    """One count of all processes, in Redis."""
    return MovingWindowRateLimiter(storage_from_string(settings.COUNTERS_URI, wrap_exceptions=True))


@lru_cache(maxsize=1)
def own_limiter() -> MovingWindowRateLimiter:
    """This process's own count, for as long as Redis is away."""
    return MovingWindowRateLimiter(MemoryStorage())
