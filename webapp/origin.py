"""Which pages may open a socket: our own, as with forms."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host

from webapp import counters

Application = Callable[..., Awaitable[Any]]


def same_origin_only(application: Any) -> Application:
    """Refuse sockets that a page of another origin opens, whatever hosts are allowed: a browser sends our cookie
    along with them. CARAVAN_ORIGINS lists further origins, as for forms.
    """

    async def guard(scope: Any, receive: Any, send: Any) -> Any:
        headers = {name: value.decode("latin1") for name, value in scope["headers"]}
        origin, host = headers.get(b"origin", ""), headers.get(b"host", "")
        admitted = _is_ours(origin, host, _page_scheme(scope, headers))
        if not admitted:
            counters.add(counters.HANDSHAKES, "origin")
        chosen = application if admitted else WebsocketDenier()
        return await chosen(scope, receive, send)

    return guard


def _page_scheme(scope: Any, headers: Mapping[bytes, str]) -> str:
    """The scheme of the pages that this socket belongs to; behind a proxy, the one that it passes on."""
    if settings.BEHIND_PROXY:
        return headers.get(b"x-forwarded-proto", "").split(",")[0].strip()
    return "https" if scope.get("scheme") == "wss" else "http"


def _is_ours(origin: str, host: str, scheme: str) -> bool:
    if origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    domain, _port = split_domain_port(host)
    known = bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)
    opener = urlsplit(origin)
    return known and opener.scheme == scheme and opener.netloc.lower() == host.lower()
