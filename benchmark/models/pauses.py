"""How long a server asks to wait before it is asked again: in its headers, or in words."""

from __future__ import annotations

import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from benchmark.text import guarded

_PART = r"(?:\d+(?:\.\d+)?\s*(?:ms|milliseconds?|h|hours?|m|min|minutes?|s|secs?|seconds?)(?![a-z])\s*)"
_IN_WORDS = guarded.compile(
    rf"(?:try|retry|wait)\b.{{0,40}}?\b(?:in|after|for)\s+({_PART}+)", guarded.IGNORECASE
)
"""OpenAI says `Please try again in 6m0s`, LiteLLM `Try again in 20 seconds`, Gemini `Please retry in 31.4s`."""
_NUMBER = guarded.compile(r"(\d+(?:\.\d+)?)\s*(ms|milli|h|m|s)", guarded.IGNORECASE)
_SECONDS = {"ms": 0.001, "milli": 0.001, "h": 3600.0, "m": 60.0, "s": 1.0}


def pause_asked(headers: Mapping[str, str], words: str) -> float | None:
    """Seconds: by the headers, else by what the error says; None where neither asks for any."""
    asked = retry_after(headers)
    return in_words(words) if asked is None else asked


def in_words(words: str) -> float | None:
    """Seconds that an error's message asks to wait, None where it asks for none."""
    found = _IN_WORDS.search(words)
    if not found:
        return None
    return _seconds(sum(float(number) * _SECONDS[unit.lower()] for number, unit in _NUMBER.findall(found[1])))


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the server asks to wait: `retry-after-ms`, or `Retry-After` as seconds or as a date (RFC 9110).

    None where it asks for none or says it in no known way; 0 for a date that is over.
    """
    try:
        return _seconds(float(headers["retry-after-ms"]) / 1000)
    except (KeyError, ValueError):
        pass
    asked = headers.get("retry-after", "")
    try:
        return _seconds(float(asked))
    except ValueError:
        pass
    try:
        return max(parsedate_to_datetime(asked).timestamp() - time.time(), 0.0)
    except ValueError:
        return None


def _seconds(value: float) -> float | None:
    """A time that can be waited, None for any other figure."""
    return value if 0 <= value < float("inf") else None
