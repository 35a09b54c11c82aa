"""Requests to AMap's web service."""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections.abc import Callable, Mapping

import httpx2
from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_random_exponential

from sandbox.backends.amap import failures
from sandbox.backends.amap.failures import AmapFailure
from sandbox.backends.amap.fields import Answer, text
from sandbox.backends.amap.settings import AmapSettings
from sandbox.backends.amap.transport import KeyedTransport
from sandbox.backends.amap.turns import Turns

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
        self._attempts, self._pause = settings.retries + 1, pause

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def get(self, path: str, parameters: Mapping[str, str | int]) -> Answer:
        """The answer with status "1"; timeouts, broken connections, 5xx, busy codes and engine errors are retried.

        Raises:
            AmapFailure: no attempt got one.
        """
        attempts = Retrying(
            stop=stop_after_attempt(self._attempts),
            wait=wait_random_exponential(multiplier=_FIRST_BACKOFF_S, max=_LONGEST_BACKOFF_S),
            retry=retry_if_exception(_passes),
            sleep=self._pause,
            reraise=True,
        )
        return attempts(self._logged, path, dict(parameters))

    def _logged(self, path: str, parameters: dict[str, str | int]) -> Answer:
        try:
            return self._attempt(path, parameters)
        except AmapFailure as failure:
            log.warning("AMap %s: %s", path, failure.detail.replace(self._key, "***"))
            raise

    def _attempt(self, path: str, parameters: dict[str, str | int]) -> Answer:
        self._turns.take()
        try:
            response = self._http.get(self._base_url + path, params=parameters)
        except httpx2.TimeoutException as error:
            raise failures.timed_out(type(error).__name__) from error
        except httpx2.RequestError as error:
            raise failures.unreachable(f"{type(error).__name__}: {error}") from error
        return _answer(response, self._key)


def _identity(settings: AmapSettings) -> str:
    """Whose limit it is: a key's, at a service. The storage learns a digest of the key only."""
    return "amap-" + hashlib.sha256(f"{settings.base_url} {settings.key}".encode()).hexdigest()[:24]


def _passes(error: BaseException) -> bool:
    return isinstance(error, AmapFailure) and error.passing


def _answer(response: httpx2.Response, key: str) -> Answer:
    """The body of an answer, without the key wherever a server or a proxy repeats it."""
    if response.status_code != 200:
        raise failures.http_status(response.status_code)
    try:
        body = json.loads(response.text.replace(key, "***"))
    except (ValueError, RecursionError) as error:
        kind = response.headers.get("content-type", "no content type")
        raise failures.unreadable(f"no JSON but {len(response.content)} bytes of {kind[:40]}") from error
    status = body.get("status") if isinstance(body, dict) else None
    if str(status) not in ("0", "1"):
        raise failures.unreadable("JSON without the status 0 or 1")
    answer: Answer = body
    if str(status) == "0":
        raise failures.refused(text(answer.get("infocode"))[:8], text(answer.get("info"))[:80])
    return answer
