"""Requests to AMap's web service."""

from __future__ import annotations

import hashlib
import json
import logging
import random
import time
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx2
from limits import RateLimitItemPerSecond
from limits.errors import StorageError
from limits.storage import MovingWindowSupport, storage_from_string
from limits.strategies import MovingWindowRateLimiter

from sandbox.backends.amap.failures import (
    QUEUE,
    TIMEOUT,
    UNCOUNTED_FAILURE,
    UNREACHABLE,
    AmapFailure,
    http_status,
    refusal_of,
    unreadable,
)
from sandbox.backends.amap.fields import Answer, text
from sandbox.backends.amap.settings import AmapSettings
from sandbox.endpoints import certificates, without_key

log = logging.getLogger(__name__)

_FIRST_BACKOFF_S, _LONGEST_BACKOFF_S = 0.5, 8.0


class AmapClient:
    """One pool of connections and one rate limit, safe to share by threads. pause: sleeps between two attempts."""

    def __init__(self, settings: AmapSettings, pause: Callable[[float], None] = time.sleep) -> None:
        self._key, self._base_url = settings.key, settings.base_url
        self._http = httpx2.Client(
            transport=KeyedTransport(settings.key, settings.base_url), timeout=settings.timeout_s
        )
        self._turns = Turns(settings.per_second, settings.storage_uri, _identity(settings))
        self._retries, self._pause = settings.retries, pause

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def get(self, path: str, parameters: Mapping[str, str | int]) -> Answer:
        """The answer with status "1"; timeouts, broken connections, 5xx, busy codes and engine errors are retried.

        Raises:
            AmapFailure: no attempt got one.
        """
        for retry in range(self._retries):
            try:
                return self._log_failure(path, parameters)
            except AmapFailure as failure:
                if not failure.passing:
                    raise
            self._pause(random.uniform(0, min(_FIRST_BACKOFF_S * 2**retry, _LONGEST_BACKOFF_S)))
        return self._log_failure(path, parameters)

    def _log_failure(self, path: str, parameters: Mapping[str, str | int]) -> Answer:
        try:
            return self._attempt(path, parameters)
        except AmapFailure as failure:
            log.warning("AMap %s: %s", path, without_key(self._key, failure.detail))
            raise

    def _attempt(self, path: str, parameters: Mapping[str, str | int]) -> Answer:
        self._turns.take()
        try:
            response = self._http.get(self._base_url + path, params=parameters)
        except httpx2.TimeoutException as error:
            raise AmapFailure("timeout", TIMEOUT, type(error).__name__, passing=True) from error
        except httpx2.RequestError as error:
            detail = f"{type(error).__name__}: {error}"
            raise AmapFailure("backend", UNREACHABLE, detail, passing=True) from error
        return _answer(response, self._key)


def _identity(settings: AmapSettings) -> str:
    """Whose limit it is: a key's, at a service. The storage learns a digest of the key only."""
    return "amap-" + hashlib.sha256(f"{settings.base_url} {settings.key}".encode()).hexdigest()[:24]


def _answer(response: httpx2.Response, key: str) -> Answer:
    """The body of an answer, without the key wherever a server or a proxy repeats it."""
    if response.status_code != 200:
        raise http_status(response.status_code)
    try:
        body = json.loads(without_key(key, response.text))
    except (ValueError, RecursionError) as error:
        kind = response.headers.get("content-type", "no content type")
        raise unreadable(f"no JSON but {len(response.content)} bytes of {kind[:40]}") from error
    status = body.get("status") if isinstance(body, dict) else None
    if str(status) not in ("0", "1"):
        raise unreadable("JSON without the status 0 or 1")
    answer: Answer = body
    if str(status) == "0":
        raise refusal_of(text(answer.get("infocode"))[:8], text(answer.get("info"))[:80])
    return answer


class KeyedTransport(httpx2.BaseTransport):
    """Adds the key to a request on its way out: httpx2 logs the URL of every request and keeps it in its
    exceptions, and sees it without the key this way.
    """

    def __init__(self, key: str, base_url: str) -> None:
        self._key = key
        self._inner = httpx2.HTTPTransport(verify=certificates(), proxy=_proxy(base_url))

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """The response to the request with the key."""
        return self._inner.handle_request(
            httpx2.Request(
                request.method,
                request.url.copy_merge_params({"key": self._key}),
                headers=request.headers,
                stream=request.stream,
                extensions=request.extensions,
            )
        )

    def close(self) -> None:
        """Close the connections."""
        self._inner.close()


def _proxy(base_url: str) -> str | None:
    """The proxy that the environment names, which a client with a transport of its own does not look for."""
    parts = urlsplit(base_url)
    return None if proxy_bypass(parts.hostname or "") else getproxies().get(parts.scheme)


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
                    detail = f"no room within {LONGEST_WAIT_S:g} s under the rate limit"
                    raise AmapFailure("timeout", QUEUE, detail)
                time.sleep(pause)
        except StorageError as error:
            detail = "the storage of the rate limit cannot be reached"
            raise AmapFailure("backend", UNCOUNTED_FAILURE, detail) from error

    def _pause(self) -> float:
        """Seconds until the oldest request leaves the window; the storage's clock may differ from this one."""
        freed = self._limiter.get_window_stats(self._item, self._identity).reset_time - time.time()
        return min(max(freed, _SHORTEST_PAUSE_S), _LONGEST_PAUSE_S)
