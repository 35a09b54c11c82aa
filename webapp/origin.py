"""Which pages may open a socket: our own, as with forms."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host

Application = Callable[..., Awaitable[Any]]


def same_origin_only(application: Any) -> Application:
    """Refuse sockets that a page of another origin opens, whatever hosts are allowed: a browser sends our cookie
    along with them. CARAVAN_ORIGINS lists further origins, as for forms.
    """

    async def guarded(scope: Any, receive: Any, send: Any) -> Any:
        headers = {name: value.decode("latin1") for name, value in scope["headers"]}
        admitted = _is_ours(headers.get(b"origin", ""), headers.get(b"host", ""))
        chosen = application if admitted else WebsocketDenier()
        return await chosen(scope, receive, send)

    return guarded


def _is_ours(origin: str, host: str) -> bool:
    if origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    domain, _port = split_domain_port(host)
    known = bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)
    return known and urlsplit(origin).netloc.lower() == host.lower()
