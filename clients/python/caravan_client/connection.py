"""Requests with a token, which are repeated where that helps: none of them does a thing twice."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from typing import Any

import httpx2

from .errors import BrokenList, Problem, Refusal, Unreachable

LINES = "application/x-ndjson"
LATER = (429, 502, 503, 504)
"""Answers after which the same request may do."""
LONGEST_PAUSE_S = 30.0


class Connection:
    """To one server. retries: how often a request is repeated. sleep: waits some seconds."""

    def __init__(
        self,
        url: str,
        token: str,
        *,
        timeout_s: float,
        retries: int,
        transport: httpx2.BaseTransport | None = None,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        headers = {"Authorization": f"Bearer {token}", "User-Agent": "caravan-client/0.1"}
        address = f"{url.rstrip('/')}/api/v1/"
        self._http = httpx2.Client(base_url=address, headers=headers, timeout=timeout_s, transport=transport)
        self._retries, self._sleep, self.url = retries, sleep, url

    def close(self) -> None:
        """End it."""
        self._http.close()

    def get(self, path: str, given: Mapping[str, Any] | None = None) -> Any:
        """The JSON of an answer."""
        return self._send("GET", path, params=parameters(given)).json()

    def text(self, path: str, given: Mapping[str, Any] | None = None) -> str:
        """The text of an answer."""
        return self._send("GET", path, params=parameters(given)).text

    def post(self, path: str, body: Any = None, *, key: str = "") -> Any:
        """The same of something that is done. key: by which the server knows a repetition, "" where doing it twice is
        doing it once.
        """
        headers = {"Idempotency-Key": key} if key else {}
        return self._send("POST", path, json=body, headers=headers).json()

    def lines(self, path: str, given: Mapping[str, Any] | None = None) -> Iterator[Any]:
        """The items of a whole list as they come. What breaks off is not begun anew: some were given already."""
        request = self._http.build_request("GET", path, params=parameters(given), headers={"Accept": LINES})
        with closing(self._ask(request, stream=True)) as response:
            try:
                for line in response.iter_lines():
                    item = json.loads(line)
                    if item.keys() == {"problem"}:
                        raise BrokenList(item["problem"]["detail"])
                    yield item
            except httpx2.TransportError as error:
                raise BrokenList(f"the list broke off: {error}") from error

    def _send(self, method: str, path: str, **sent: Any) -> httpx2.Response:
        return self._ask(self._http.build_request(method, path, **sent))

    def _ask(self, request: httpx2.Request, *, stream: bool = False) -> httpx2.Response:
        for attempt in range(self._retries + 1):
            is_last = attempt == self._retries
            try:
                response = self._http.send(request, stream=stream)
            except httpx2.TransportError as error:
                if is_last:
                    raise Unreachable(f"{self.url} could not be reached: {error}") from error
                self._sleep(pause_s(attempt))
                continue
            if response.is_success:
                return response
            if is_last or response.status_code not in LATER:
                raise _refusal(response)
            response.close()
            self._sleep(pause_s(attempt, response.headers.get("Retry-After", "")))
        raise AssertionError("unreachable")


def pause_s(attempt: int, retry_after: str = "") -> float:
    """Seconds before the next attempt: what the server asks for, else twice as long each time."""
    if retry_after.isdigit():
        return min(float(retry_after), 2 * LONGEST_PAUSE_S)
    return min(0.5 * 2.0**attempt, LONGEST_PAUSE_S) * random.uniform(0.7, 1.3)


def parameters(given: Mapping[str, Any] | None) -> dict[str, str]:
    """As an address has them; what is None is left out."""
    told = {name: value for name, value in (given or {}).items() if value not in (None, "", False)}
    return {name: "on" if value is True else str(value) for name, value in told.items()}


def _refusal(response: httpx2.Response) -> Refusal:
    response.read()
    try:
        told = response.json()
        problems = [Problem(each["where"], each["what"]) for each in told.get("problems", [])]
        refusal = Refusal(response.status_code, told["code"], told["detail"], problems)
    except (ValueError, KeyError, TypeError, AttributeError):
        words = (
            f"{response.status_code} {response.reason_phrase} from {response.url}; is this a Caravan server?"
        )
        refusal = Refusal(response.status_code, "", words, [])
    response.close()
    return refusal
