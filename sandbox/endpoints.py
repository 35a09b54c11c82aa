"""What every OpenAI-compatible endpoint has: an address, and a key that stays in the environment."""

from __future__ import annotations

import json
import os
import re
import ssl
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Literal, TypeVar
from urllib.parse import SplitResult, quote, urlsplit

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAI

    Client = TypeVar("Client", OpenAI, AsyncOpenAI)

AddressFault = Literal["form", "blank", "query", "port"]

NO_KEY = "none"
"""Sent where no key is named: servers of one's own ask for none, but the client insists on one."""

_BRACKETS = re.compile(r"\[[^\[\]]+\](:.*)?")
"""What stands behind the bracket of an IPv6 address is read as a port by some, and passed over by others."""

_FAULTS: dict[AddressFault, str] = {
    "form": "the address must be http:// or https:// with a host, without name and password",
    "blank": "the address must not contain blanks or control characters",
    "query": "the address must end with its path, without ? or # and what follows; a key belongs into an environment "
    "variable, whose name is given beside the address",
    "port": "the address's port must be a number from 1 to 65535",
}


class BadAddress(ValueError):
    """An address that can't be asked, or that may hold a secret. The message does not quote it."""

    def __init__(self, fault: AddressFault) -> None:
        super().__init__(_FAULTS[fault])
        self.fault = fault


def check_address(url: str) -> None:
    """
    Raises:
        BadAddress: it can't be asked, or has a place for secrets: name and password, a query, a fragment.
    """
    if any(sign.isspace() or not sign.isprintable() for sign in url):
        raise BadAddress("blank")
    parts = _parts(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
        raise BadAddress("form")
    if "[" in parts.netloc and not _BRACKETS.fullmatch(parts.netloc):
        raise BadAddress("form")
    if "?" in url or "#" in url:
        raise BadAddress("query")
    if not _has_good_port(parts):
        raise BadAddress("port")


def _parts(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:  # it quotes the address
        raise BadAddress("form") from None


def _has_good_port(parts: SplitResult) -> bool:
    try:
        return parts.port != 0
    except ValueError:
        return False


class NoKey(ValueError):
    """This process does not have a key that an endpoint needs. The message names its variable."""


def key_in(variable: str) -> str:
    """The key that an environment variable holds, `NO_KEY` where none is named.

    Raises:
        NoKey: the variable is not set in this process, or empty.
        ValueError: what it holds can't be a key; the message names the variable, never its value.
    """
    if not variable:
        return NO_KEY
    key = os.environ.get(variable, "").strip()
    if not key:
        raise NoKey(f"the environment variable {variable}, which holds the key, is not set in this process")
    if not (key.isascii() and key.isprintable()):
        raise ValueError(f"{variable} must hold printable ASCII characters only")
    return key


@cache
def certificates() -> ssl.SSLContext:
    """The authorities that this process trusts. To read them takes 20 ms, so all clients share them."""
    import httpx2  # takes long to import, and most processes reach no endpoint

    return httpx2.create_ssl_context()


def without_key(key: str, text: str) -> str:
    """A text for people or logs in which the key does not stand, however an answer quotes it."""
    if key == NO_KEY:
        return text
    for form in _forms(key):
        text = text.replace(form, "***")
    return text


def _forms(key: str) -> list[str]:
    """As it is, and as JSON, an address and a page of HTML write it; the longest first."""
    quoted = json.dumps(key)[1:-1]
    forms = {key, quoted, quoted.replace("/", "\\/"), quote(key, safe=""), quote(key), escape(key)}
    return sorted(forms, key=len, reverse=True)


def without_environment(client: Client) -> Client:
    """A client without what it has found in the environment by itself.

    OPENAI_ORG_ID, OPENAI_PROJECT_ID and the headers in OPENAI_CUSTOM_HEADERS would go to every address.
    """
    client.organization = client.project = None
    client._custom_headers = {}
    return client
