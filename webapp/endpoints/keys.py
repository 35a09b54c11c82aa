"""Which environment variables may hold keys, and the one server that each of these keys is sent to.

A key is never stored: what is stored is the server that it belongs to, so that nobody who may add a model can have a
key of the installation sent to a server of their own.
"""

from __future__ import annotations

import os
import re
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

from webapp.endpoints.models import KeyServer

KEY_VARIABLE = re.compile(r"[A-Za-z][A-Za-z0-9_]*_API_KEY", re.ASCII)
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
OWN = "CARAVAN_"
"""Variables of the product begin so. They have purposes of their own; no model gets them."""
_PORTS = {"http": 80, "https": 443}


class KeyRefused(ValueError):
    """A key that must not be sent there. The message says why and what helps."""


def may_hold_key(variable: str) -> bool:
    """Whether models may name a variable: `…_API_KEY`, or one that CARAVAN_KEY_VARIABLES lists."""
    if not VARIABLE.fullmatch(variable) or variable.upper().startswith(OWN):
        return False
    listed = re.split(r"[\s,]+", os.environ.get("CARAVAN_KEY_VARIABLES", ""))
    return bool(KEY_VARIABLE.fullmatch(variable)) or variable in listed


def server_of(address: str) -> str:
    """Scheme, host and port of an address, which is what a key is bound to: `https://api.example.com`."""
    parts = urlsplit(address)
    host = (parts.hostname or "").rstrip(".")
    shown = f"[{host}]" if ":" in host else host
    port = "" if parts.port in (None, _PORTS.get(parts.scheme)) else f":{parts.port}"
    return f"{parts.scheme}://{shown}{port}"


def bound_server(variable: str) -> str | None:
    """The server that a variable's key is sent to, None as long as nobody has said."""
    return KeyServer.objects.filter(variable=variable).values_list("server", flat=True).first()


def check_key(*, variable: str, address: str) -> None:
    """Whether a request to an address may carry a variable's key.

    Raises:
        KeyRefused: it must not.
    """
    if not variable:
        return
    check_variable(variable)
    bound = bound_server(variable)
    if bound is None:
        raise KeyRefused(_unbound_words(variable, address))
    if bound != server_of(address):
        raise KeyRefused(_bound_elsewhere(variable, bound, address))


def check_choice(*, variable: str, address: str, administrator: bool) -> None:
    """Whether a person may have a model at an address use a variable. An administrator is the first to name a server.

    Raises:
        KeyRefused: they may not.
    """
    if variable and bound_server(variable) is None and administrator:
        return check_variable(variable)
    return check_key(variable=variable, address=address)


def check_variable(variable: str) -> None:
    """
    Raises:
        KeyRefused: models may not name this variable.
    """
    if may_hold_key(variable):
        return
    raise KeyRefused(
        _(
            "%(variable)s is not allowed for the key of a model. Use a variable whose name ends in "
            "_API_KEY, or add this one to CARAVAN_KEY_VARIABLES where Caravan runs."
        )
        % {"variable": variable}
    )


def bind_first(*, variable: str, address: str) -> None:
    """Bind a variable to the server of an address unless it is bound already."""
    if variable:
        KeyServer.objects.get_or_create(variable=variable, defaults={"server": server_of(address)})


def bind(*, variable: str, address: str) -> None:
    """Bind a variable to the server of an address, whatever it was bound to: for administrators.

    Raises:
        KeyRefused: models may not name this variable.
    """
    check_variable(variable)
    KeyServer.objects.update_or_create(variable=variable, defaults={"server": server_of(address)})


def free(*, variable: str) -> bool:
    """Let a variable's key be sent nowhere; False where it was not bound."""
    deleted, _rows = KeyServer.objects.filter(variable=variable).delete()
    return bool(deleted)


def _unbound_words(variable: str, address: str) -> str:
    return _(
        "The key in %(variable)s belongs to no server yet. Have an administrator run: manage.py key bind "
        "%(variable)s %(server)s"
    ) % {"variable": variable, "server": server_of(address)}


def _bound_elsewhere(variable: str, bound: str, address: str) -> str:
    return _(
        "The key in %(variable)s is sent to %(bound)s only. An administrator can change that: manage.py key bind "
        "%(variable)s %(server)s"
    ) % {"variable": variable, "bound": bound, "server": server_of(address)}
