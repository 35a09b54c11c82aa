"""The key, added where nobody looks."""

from __future__ import annotations

from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx2

from sandbox.endpoints import certificates


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
