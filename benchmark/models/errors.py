"""What a server says of an error, in the many forms that errors have."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmark.text import guarded

_MESSAGES = (
    *("message", "detail", "msg", "status_msg", "error_msg", "error_message", "errorMessage", "errmsg"),
    *("err_msg", "faultstring", "Message", "reason", "description", "title"),
)
_CODES = (
    *("code", "type", "status", "param", "http_code", "status_code", "error_code", "errorCode", "errno"),
    *("error_type", "Code"),
)
_TOLD_BESIDE = ("metadata", "details", "innererror")
_READ = 10_000
"""Characters of an error that are searched."""
_SUCCESS = guarded.compile(r"(0|200|ok|success(ful)?|succeeded|成功|操作成功)?", guarded.IGNORECASE)
"""What gateways write beside an answer."""


@dataclass(frozen=True, slots=True)
class ServerError:
    """What a server said of an error: its code, type and message in one text, to be searched; the part to show; the
    HTTP status that it names itself; the code of a MiniMax `base_resp`."""

    words: str
    excerpt: str
    status: int | None = None
    minimax: int | None = None


def error_in(body: Mapping[str, Any]) -> object | None:
    """The error that an object holds, None where it is an answer, or a piece of one."""
    for name in ("error", "Error", "errors", "fault"):
        if error := body.get(name):
            return _first_of(error) if isinstance(error, Mapping | list) else body
    minimax: object = body.get("base_resp")
    if isinstance(minimax, Mapping) and minimax.get("status_code") not in (None, 0, "", "0"):
        return minimax
    if (error := _on_a_choice(body.get("choices"))) is not None:
        return error
    if body.get("object") == "error":
        return body
    return body if not body.get("choices") and _tells_error(body) else None


def _first_of(error: object) -> object:
    return error[0] if isinstance(error, list) else error


def _on_a_choice(choices: object) -> object | None:
    """A gateway that lost its model's server writes the error on the choice, or on its message."""
    for choice in choices if isinstance(choices, list) else ():
        if isinstance(choice, Mapping):
            for part in (choice, choice.get("delta"), choice.get("message")):
                error: object = part.get("error") if isinstance(part, Mapping) else None
                if error:
                    return error
    return None


def _tells_error(body: Mapping[str, Any]) -> bool:
    """Whether an object without an answer is an error by the names that it has."""
    told = [body[name] for name in _MESSAGES if isinstance(body.get(name), str | list) and body[name]]
    codes = [str(body[name]) for name in _CODES if body.get(name) is not None and name != "type"]
    if codes and all(_SUCCESS.fullmatch(code) for code in codes):
        return False
    return any(not _SUCCESS.fullmatch(str(one).strip(" .!")) for one in told)


def read_error_body(body: str) -> ServerError:
    """What an error's body says: JSON in one of many forms, a page of HTML, or a text."""
    try:
        content = json.loads(body.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        text = body.removeprefix("\ufeff").strip()
        return ServerError(text[:_READ], describe_body(text)) if text else ServerError("", "")
    content = content[0] if isinstance(content, list) and content else content
    return read_error((error_in(content) or content) if isinstance(content, Mapping) else content)


def read_error(error: object) -> ServerError:
    """What an error object says, or a text."""
    if not isinstance(error, Mapping):
        text = str(error or "")
        return ServerError(text[:_READ], f"“{text}”" if text else "")
    if isinstance(inner := error.get("error"), Mapping) and inner:
        return read_error(inner)
    named = [error.get(name) for name in _CODES]
    message = _message(error) or in_json(dict(error))
    beside = [in_json(error[name]) for name in _TOLD_BESIDE if error.get(name)]
    words = " ".join(str(part) for part in (*named, message, *beside) if part)[:_READ]
    status = next((code for part in named if (code := _status(part))), None)
    return ServerError(words, f"“{message}”", status, _minimax(error))


def _message(error: Mapping[str, Any]) -> str:
    parts = [error[name] for name in ("error", *_MESSAGES) if _is_told(error.get(name))]
    told = [part if isinstance(part, str) else in_json(part) for part in parts]
    return ": ".join(dict.fromkeys(told[:2]))


def _is_told(part: object) -> bool:
    return isinstance(part, str | list | Mapping) and bool(part)


def _minimax(error: Mapping[str, Any]) -> int | None:
    code = str(error.get("status_code"))
    named = "status_msg" in error or error.keys() == {"status_code"}
    return int(code) if named and guarded.fullmatch(r"\d{1,6}", code, guarded.ASCII) else None


def _status(value: object) -> int | None:
    text = str(value)
    return int(text) if guarded.fullmatch(r"[1-5]\d\d", text) else None


def describe_body(text: str) -> str:
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
