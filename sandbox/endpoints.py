"""What every OpenAI-compatible endpoint has: an address, and a key that stays in the environment."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

NO_KEY = "none"
"""Sent where no key is set: servers of one's own ask for none, but the client insists on one."""


def check_address(url: str) -> None:
    """
    Raises:
        ValueError: an address that can't be asked, or that holds a secret; the message does not quote it.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
        raise ValueError("the address must be http:// or https:// with a host, without name and password")


def key_in(variable: str) -> str:
    """The key that an environment variable holds, `NO_KEY` where it holds none.

    Raises:
        ValueError: what it holds can't be a key; the message names the variable, never its value.
    """
    key = os.environ.get(variable, "").strip() if variable else ""
    if not (key.isascii() and key.isprintable()):
        raise ValueError(f"{variable} must hold printable ASCII characters only")
    return key or NO_KEY


def without(key: str, text: str) -> str:
    """A text for people or logs in which the key does not stand."""
    return text if key == NO_KEY else text.replace(key, "***")
