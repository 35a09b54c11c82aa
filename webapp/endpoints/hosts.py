"""Where models may be, if the installation says so: else any researcher could have it ask whatever it can reach."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import validate_host
from django.utils.translation import gettext as _


class HostRefused(ValueError):
    """A model that must not be asked there. The message says where it may be."""


def check_host(address: str) -> None:
    """
    Raises:
        HostRefused: CARAVAN_MODEL_HOSTS lists hosts, and not this one.
    """
    allowed = settings.CARAVAN_MODEL_HOSTS
    if not allowed:
        return
    parts = urlsplit(address)
    host = (parts.hostname or "").rstrip(".")
    host = f"[{host}]" if ":" in host else host
    port = parts.port or (443 if parts.scheme == "https" else 80)
    if validate_host(host, allowed) or f"{host}:{port}" in allowed:
        return
    words = _("Models may run only at %(allowed)s (CARAVAN_MODEL_HOSTS), not at %(host)s.")
    raise HostRefused(words % {"allowed": ", ".join(allowed), "host": host})


def may_quote_servers() -> bool:
    """Whether what a server says in place of an answer may stand in logs, which all researchers read.

    It may where CARAVAN_MODEL_HOSTS has named the server, and on one person's own machine; else whoever adds a model
    at some address would read what stands there.
    """
    return bool(settings.CARAVAN_MODEL_HOSTS) or (settings.EMBEDDED_DATABASE and not settings.BEHIND_PROXY)
