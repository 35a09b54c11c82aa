"""From what a server did to why there is no answer, and what helps."""

from __future__ import annotations

import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from urllib.parse import urljoin, urlsplit

from benchmark.models.chat import Usage
from benchmark.models.errors import read_error, read_error_body
from benchmark.models.failures import FailureKind
from benchmark.models.kinds import kind_of_error, kind_of_status
from benchmark.models.remedies import remedy
from benchmark.models.setup import ModelSetup
from benchmark.text import guarded
from sandbox.endpoints import without_key

_EXCERPT_LENGTH = 400
_PAYMENT = 402


class NoAnswer(Exception):
    """Why an attempt failed, before endpoint and remedy are put to it. what: a clause in plain words."""

    def __init__(
        self,
        kind: FailureKind,
        what: str,
        *,
        words: str = "",
        status: int | None = None,
        retry_after_s: float | None = None,
        usage: Usage | None = None,
    ) -> None:
        super().__init__(what)
        self.kind, self.what, self.words = kind, what, words
        self.status, self.retry_after_s, self.usage = status, retry_after_s, usage

    def describe(self, setup: ModelSetup, key: str, *, quoting: bool = True) -> str:
        """The message for people: endpoint, address, model, what happened and what helps, without the key.

        quoting: with what the server said, of which nothing else tells.
        """
        what = " ".join(without_key(key, self.what).split())
        what = what if quoting else without_quotes(what)
        what = what if len(what) <= _EXCERPT_LENGTH else what[:_EXCERPT_LENGTH] + "…"
        helps = remedy(self.kind, setup, f"{self.words} {self.what}")
        return " ".join(
            filter(None, (f"{setup.name} ({setup.base_url}, model {setup.model}): {what}.", helps))
        )


def without_quotes(what: str) -> str:
    """A clause up to where it repeats what a server sent."""
    begun = guarded.search(r"“", what)
    return f"{what[: begun.start()].rstrip()} …" if begun else what


def refusal(status: int, body: str, headers: Mapping[str, str]) -> NoAnswer:
    """What an HTTP status with its body means."""
    told = read_error_body(body)
    shown = f"status {status}" + (f", {told.excerpt}" if told.excerpt else "")
    asked = retry_after(headers)
    wait = in_words(body) if asked is None else asked
    return NoAnswer(
        kind_of_status(status, told.words, wait),
        f"the server answered with {shown}",
        words=f"payment required {told.words}" if status == _PAYMENT else told.words,
        status=status,
        retry_after_s=wait,
    )


def redirect_address(url: str, headers: Mapping[str, str]) -> str:
    """The address to write instead of the one under which `url` was asked, "" where the answer is no redirect to an
    address: its name, password, query and fragment, which may hold a secret, are left out."""
    try:
        target = urlsplit(urljoin(url, headers["location"]))
    except (KeyError, ValueError):
        return ""
    host = target.netloc.rpartition("@")[2]
    return f"{target.scheme}://{host}{target.path.rstrip('/').removesuffix('/chat/completions')}"


def reported_error(error: object) -> NoAnswer:
    """What an error object means that came where an answer was expected."""
    told = read_error(error)
    wait = in_words(told.words)
    shown = told.excerpt or "no message"
    return NoAnswer(
        kind_of_error(told, wait),
        f"the server reported an error, {shown}",
        words=told.words,
        status=told.status,
        retry_after_s=wait,
    )


# How long a server asks to wait before it is asked again: in its headers, in fields of its error, or in words.


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
