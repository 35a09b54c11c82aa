"""How long a server asks to wait before it is asked again: in its headers, in fields of its error, or in words."""

from __future__ import annotations

import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from benchmark.text import guarded

_UNIT = r"(?:ms|milliseconds?|d|days?|h|hours?|m|min|minutes?|s|secs?|seconds?)(?![a-z])"
_PART = rf"(?:\d+(?:\.\d+)?\s*{_UNIT}\s*(?:and\s+|,\s*)?)"
_ABOUT = r"(?:(?:about|approximately|around|at least|another|up to)\s+)?[~≈]?\s*"
_IN_WORDS = guarded.compile(
    rf"(?:(?:try|retry|wait|available|again|resets?)\b.{{0,40}}?\b(?:in|after|for)|wait)\s+{_ABOUT}({_PART}+)",
    guarded.IGNORECASE,
)
"""OpenAI says `Please try again in 6m0s`, LiteLLM `Try again in 20 seconds`, Gemini `Please retry in 31.4s`."""
_CHINESE_PART = r"\d+(?:\.\d+)?\s*(?:毫秒|秒|分|小[时時]|天)[钟鐘]?\s*"
_IN_CHINESE = guarded.compile(
    rf"((?:{_CHINESE_PART})+)[之以]?[后後]|(?:等待|等候|等|休息)\s*(?:至少|大[约約]|[约約])?\s*((?:{_CHINESE_PART})+)"
)
_CHINESE_NUMBER = guarded.compile(r"(\d+(?:\.\d+)?)\s*(毫秒|秒|分|小|天)")
_FIELD = guarded.compile(
    r"(?:retry[_\- ]?(?:after|delay|in)|reset[_\- ]?(?:after|in)|estimated[_\- ]?time|wait[_\- ]?time)"
    r"[_\- ]?(?:in[_\- ]?)?(ms|milliseconds?|s|secs?|seconds?)?[\\\"']*\s*"
    r"(?:[:=]\s*\{?[\\\"'\s]*(?:seconds[\\\"']*\s*:\s*)?|\s)[\\\"']*"
    rf"(\d+(?:\.\d+)?)\s*({_UNIT})?",
    guarded.IGNORECASE,
)
"""Google's `RetryInfo` has `"retryDelay": "34s"`, others `retry_after`; also where one error quotes another. Hugging
Face tells the time that a model takes to load."""
_DURATION = guarded.compile(rf"\s*{_PART}+", guarded.IGNORECASE)
_NUMBER = guarded.compile(r"(\d+(?:\.\d+)?)\s*(ms|milli|d|h|m|s)", guarded.IGNORECASE)
_SECONDS = {"ms": 0.001, "milli": 0.001, "d": 86_400.0, "h": 3600.0, "m": 60.0, "s": 1.0}
_CHINESE = {"毫秒": 0.001, "秒": 1.0, "分": 60.0, "小": 3600.0, "天": 86_400.0}
_HEADERS = ("retry-after", "x-retry-after", "x-ratelimit-retry-after", "x-ratelimit-reset-after")
_READ = 10_000
"""Characters of an error in which a pause is looked for."""


def in_words(words: str) -> float | None:
    """Seconds that an error's message asks to wait, None where it asks for none."""
    words = words[:_READ]
    if match := _IN_WORDS.search(words):
        return _seconds(_sum(match[1]))
    if match := _IN_CHINESE.search(words):
        parts = _CHINESE_NUMBER.findall(match[1] or match[2])
        return _seconds(sum(float(number) * _CHINESE[unit] for number, unit in parts))
    if match := _FIELD.search(words):
        return _seconds(_sum(f"{match[2]} {match[3] or match[1] or 's'}"))
    return None


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the server asks to wait: `retry-after-ms`, or `Retry-After` as seconds, as a date (RFC 9110) or
    with a unit, or a header of a gateway that means the same.

    None where it asks for none or says it in no known way; 0 for a date that is over.
    """
    try:
        return _seconds(float(headers["retry-after-ms"]) / 1000)
    except (KeyError, ValueError):
        pass
    asked = next((value for name in _HEADERS if (value := headers.get(name))), "")
    try:
        return _seconds(float(asked))
    except ValueError:
        pass
    if _DURATION.fullmatch(asked):
        return _seconds(_sum(asked))
    try:
        return max(parsedate_to_datetime(asked).timestamp() - time.time(), 0.0)
    except ValueError:
        return None


def _sum(written: str) -> float:
    return sum(float(number) * _SECONDS[unit.lower()] for number, unit in _NUMBER.findall(written))


def _seconds(value: float) -> float | None:
    """A time that can be waited, None for any other figure."""
    return value if 0 <= value < float("inf") else None
