"""How the service is reached."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

DEFAULT_URL = "https://restapi.amap.com"
_KEY = re.compile(r"[0-9A-Za-z]{1,128}", re.ASCII)
_LONGEST_TIMEOUT_S = 120.0
_MOST_PER_SECOND = 1000


@dataclass(frozen=True, slots=True)
class AmapSettings:
    """key: of the kind "Web 服务". timeout_s: seconds to connect, and between two pieces of an answer.
    per_second: requests a second at most. retries: further attempts after a passing failure. storage_uri: where the
    requests are counted, as `limits` writes it: memory:// counts for one backend, redis://… for all that share it.
    """

    key: str = field(repr=False)
    base_url: str = DEFAULT_URL
    timeout_s: float = 10.0
    per_second: int = 3
    retries: int = 3
    storage_uri: str = field(default="memory://", repr=False)


def settings_from(environ: Mapping[str, str], storage_uri: str) -> AmapSettings | None:
    """The settings that CARAVAN_AMAP_KEY, _URL, _TIMEOUT and _QPS give; None without a key.

    Raises:
        ValueError: a value is malformed; the message names the variable and what is allowed, never the key.
    """
    key = environ.get("CARAVAN_AMAP_KEY", "")
    if not key:
        return None
    if not _KEY.fullmatch(key):
        raise ValueError("CARAVAN_AMAP_KEY must be letters and digits only, as AMap issues keys (usually 32)")
    return AmapSettings(
        key=key,
        base_url=_url(environ.get("CARAVAN_AMAP_URL") or DEFAULT_URL),
        timeout_s=_timeout(environ.get("CARAVAN_AMAP_TIMEOUT") or "10"),
        per_second=_per_second(environ.get("CARAVAN_AMAP_QPS") or "3"),
        storage_uri=storage_uri,
    )


def _url(text: str) -> str:
    """Neither a query nor a user name is let through: both are where keys are put by mistake."""
    problem = "CARAVAN_AMAP_URL must be http:// or https:// with a host, and neither query nor user name"
    try:
        parts = urlsplit(text)
        plain = (
            parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port > 0)
        )
    except ValueError as error:
        raise ValueError(problem) from error
    if not plain or parts.query or parts.fragment or "@" in parts.netloc:
        raise ValueError(problem)
    return text.rstrip("/")


def _timeout(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= _LONGEST_TIMEOUT_S:
        raise ValueError(
            f"CARAVAN_AMAP_TIMEOUT must be seconds, above 0 and up to {_LONGEST_TIMEOUT_S:g}, not {text!r}"
        )
    return seconds


def _per_second(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= number <= _MOST_PER_SECOND:
        raise ValueError(
            f"CARAVAN_AMAP_QPS must be a whole number from 1 to {_MOST_PER_SECOND}, not {text!r}"
        )
    return number
