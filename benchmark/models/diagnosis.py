"""From what a server did to why there is no answer, and what helps."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urljoin, urlsplit

from benchmark.models.chat import Usage
from benchmark.models.failures import FailureKind
from benchmark.models.remedies import remedy
from benchmark.models.setup import ModelSetup
from benchmark.text import guarded
from sandbox.endpoints import without

# How servers say that a conversation is longer than their model's context.


_WORDINGS = (
    # codes: OpenAI, Zhipu, llama.cpp, Doubao
    r"context.?length.?exceeded|context_window_exceeded|exceed_context_size|context_exceeded|OutofContext",
    # OpenAI, vLLM, SGLang, DeepSeek, Mistral, OpenRouter; xAI
    r"maximum context length|maximum model length|maximum prompt length is",
    # SGLang, LM Studio; llama.cpp, Ollama, MiniMax
    r"(longer|larger|greater) than the (model'?s )?(maximum )?context (length|size|window)",
    r"exceeds? (the |your )?(model'?s )?(available |maximum )?context (length|size|window|limit)",
    r"context (window|size) (exceeded|exceeds)",
    # DashScope, Poolside
    r"range of input length|input length should be|exceeds the maximum allowed input length",
    # Anthropic and Bedrock, Zhipu
    r"(prompt|input) is too long|input length and .?max_tokens.? exceed|prompt exceeds max|prompt 超长",
    # Gemini, OpenAI
    r"input token count.{0,40}exceeds|input tokens exceed",
    # Moonshot, Doubao, Groq, Text Generation Inference
    r"exceed(s|ed)? (the )?(model )?(token limit|max message tokens)",
    r"reduce the length of the (messages|input)|`?inputs`? .{0,60}must (have less than|be <=) ",
)
_OVERFLOW = guarded.compile("|".join(_WORDINGS), guarded.IGNORECASE | guarded.DOTALL)


def tells_overflow(words: str) -> bool:
    """Whether an error's code and message mean the context limit."""
    return bool(_OVERFLOW.search(words))


# How long a server asks to wait before it is asked again: in its headers, or in words.


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


_SHOWN = 400
_CODES: dict[str, FailureKind] = {
    "invalid_api_key": "auth",
    "authentication_error": "auth",
    "permission_error": "auth",
    "permission_denied": "auth",
    "model_not_found": "not_found",
    "not_found_error": "not_found",
    "insufficient_quota": "refused",
    "invalid_request_error": "refused",
    "content_filter": "refused",
    "data_inspection_failed": "refused",
    "rate_limit_exceeded": "rate_limit",
    "rate_limit_error": "rate_limit",
    "limit_requests": "rate_limit",
    "limit_burst_rate": "rate_limit",
    "throttling": "rate_limit",
}
_WRONG_KEY = guarded.compile(r"(api.?key not valid|(invalid|incorrect|missing) api.?key)", guarded.IGNORECASE)
_NO_MODEL = guarded.compile(
    r"model .{0,120}(does not exist|not found|not exist)|invalid model name",
    guarded.IGNORECASE | guarded.DOTALL,
)
_NEVER = guarded.compile(
    r"insufficient_quota|exceeded your current quota|request too large for", guarded.IGNORECASE
)
_BUSY = guarded.compile(r"rate.?limit|too many requests", guarded.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Said:
    """What a server said of an error: its code, type and message in one text, to be searched; the part to show; the
    HTTP status that it names itself."""

    words: str
    shown: str
    status: int | None = None


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

    def told(self, setup: ModelSetup, key: str) -> str:
        """The message for people: endpoint, address, model, what happened and what helps, without the key."""
        what = " ".join(without(key, self.what).split())
        what = what if len(what) <= _SHOWN else what[:_SHOWN] + "…"
        helps = remedy(self.kind, setup, f"{self.words} {self.what}")
        return " ".join(
            filter(None, (f"{setup.name} ({setup.base_url}, model {setup.model}): {what}.", helps))
        )


def refusal(status: int, body: str, headers: Mapping[str, str]) -> NoAnswer:
    """What an HTTP status with its body means."""
    said = said_in(body)
    shown = f"status {status}" + (f", {said.shown}" if said.shown else "")
    kind = _kind(status, said.words)
    wait = pause_asked(headers, said.words)
    return NoAnswer(
        kind, f"the server answered with {shown}", words=said.words, status=status, retry_after_s=wait
    )


def redirected(url: str, headers: Mapping[str, str]) -> str:
    """The address to write instead of the one under which `url` was asked, "" where the answer is no redirect to an
    address: its name, password, query and fragment, which may hold a secret, are left out."""
    try:
        target = urlsplit(urljoin(url, headers["location"]))
    except (KeyError, ValueError):
        return ""
    host = target.netloc.rpartition("@")[2]
    return f"{target.scheme}://{host}{target.path.rstrip('/').removesuffix('/chat/completions')}"


def reported(error: object) -> NoAnswer:
    """What an error object means that came where an answer was expected. Unknown ones count as the server's fault,
    and may pass."""
    said = _said(error)
    kind = (
        _kind(said.status, said.words) if said.status and said.status >= 400 else _kind_of_words(said.words)
    )
    shown = said.shown or "no message"
    return NoAnswer(
        kind or "server",
        f"the server reported an error, {shown}",
        words=said.words,
        status=said.status,
        retry_after_s=pause_asked({}, said.words),
    )


def error_in(body: Mapping[str, Any]) -> object | None:
    """The error that an answer's object holds, None where it is an answer: the common servers have four forms."""
    error: object = body.get("error")
    if error:
        return error
    if body.get("object") == "error" or ("choices" not in body and "message" in body and "code" in body):
        return body
    return None


def said_in(body: str) -> Said:
    """What an error's body says: JSON in one of many forms, a page of HTML, or a text."""
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        text = body.strip()
        return Said(text, described(text)) if text else Said("", "")
    content = content[0] if isinstance(content, list) and content else content
    return _said((error_in(content) or content) if isinstance(content, Mapping) else content)


def described(text: str) -> str:
    """Names what came where JSON was expected: an HTML page with its title, or the text. It is cut short later, when
    no key stands in it any more, of which a part could be left."""
    if guarded.match(r"\s*(<!doctype|<html|<head|<\?xml)", text, guarded.IGNORECASE):
        title = guarded.search(r"<title[^>]*>(.*?)</title>", text, guarded.IGNORECASE | guarded.DOTALL)
        return "an HTML page" + (f" titled “{title[1].strip()}”" if title else "")
    return f"“{text.strip()}”"


def in_json(value: object) -> str:
    """A value to be shown as it was sent."""
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except RecursionError:
        return "an object that is nested too deeply"


def _said(error: object) -> Said:
    if not isinstance(error, Mapping):
        text = str(error or "")
        return Said(text, f"“{text}”" if text else "")
    named = [error.get(name) for name in ("code", "type", "status", "param")]
    message = next((str(error[name]) for name in ("message", "detail", "msg") if error.get(name)), "")
    message = message or in_json(dict(error))
    nested = error.get("metadata")
    words = " ".join(str(part) for part in (*named, message, nested) if part)
    return Said(words, f"“{message}”", next((code for part in named if (code := _status(part))), None))


def _status(value: object) -> int | None:
    text = str(value)
    return int(text) if guarded.fullmatch(r"[1-5]\d\d", text) else None


def _kind(status: int, words: str) -> FailureKind:
    if status in (400, 413, 422, 500) and tells_overflow(words):
        return "overflow"
    if status in (402, 413, 429) and _NEVER.search(words):
        return "refused"
    if status == 413:
        return "overflow"
    if status == 400 and _WRONG_KEY.search(words):
        return "auth"
    if status in (400, 422) and ("model_not_found" in words or _NO_MODEL.search(words)):
        return "not_found"
    return _by_status(status)


def _by_status(status: int) -> FailureKind:
    known: dict[int, FailureKind] = {
        401: "auth",
        403: "auth",
        404: "not_found",
        408: "server",
        409: "server",
        429: "rate_limit",
    }
    if status in known:
        return known[status]
    if status >= 500:
        return "server"
    return "refused" if status >= 400 else "not_found"


def _kind_of_words(words: str) -> FailureKind | None:
    if tells_overflow(words):
        return "overflow"
    lowered = words.lower()
    by_code = next((kind for code, kind in _CODES.items() if code in lowered), None)
    return by_code or ("rate_limit" if _BUSY.search(words) else None)
