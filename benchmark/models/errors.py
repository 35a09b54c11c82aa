"""What a server says of an error, in the many forms that errors have."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from benchmark.text import guarded

_MESSAGES = (
    *("message", "detail", "msg", "statusmsg", "errormsg", "errormessage", "errordescription", "errmsg"),
    *("err", "retmsg", "resultmsg", "statusmessage", "faultstring", "exception", "reason", "description"),
    "title",
)
_CODES = (
    *("code", "type", "status", "param", "httpcode", "statuscode", "errorcode", "errcode", "errno", "ret"),
    *("retcode", "errortype"),
)
"""Names in small letters and without marks between words: `errorMessage` and `error_message` are one name."""
_NUMBER_NAMES = ("code", "statuscode", "errorcode", "errcode", "errno", "ret", "retcode")
_ERRORS = ("error", "errors", "fault")
_ERRORS_ON_CHOICE = (*_ERRORS, "errormessage", "errormsg")
_TOLD_BESIDE = ("metadata", "details", "innererror")
_MARKS = str.maketrans("", "", "_-. ")
_DEEPEST = 3
"""Levels of objects in which an error is looked for."""
_READ = 10_000
"""Characters of an error that are searched."""
_SUCCESS = guarded.compile(r"(0|200|ok|success(ful)?|succeeded|成功|操作成功)?", guarded.IGNORECASE)
"""What gateways write beside an answer."""
_NAMED_ERROR = guarded.compile(r".*(error|exception|fault|failure)", guarded.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ServerError:
    """What a server said of an error: its code, type and message in one text, to be searched; the part to show; the
    HTTP status that it names itself; the code of a MiniMax `base_resp`."""

    words: str
    excerpt: str
    status: int | None = None
    minimax: int | None = None


def error_in(body: Mapping[str, Any], depth: int = 1) -> object | None:
    """The error that an object holds, None where it is an answer, or a piece of one.

    depth: of the object in the body.
    """
    fields = _by_plain_name(body)
    for name in _ERRORS:
        if _is_error(error := fields.get(name)):
            return _first_of(error) if isinstance(error, Mapping | list) else body
    minimax: object = fields.get("baseresp")
    if isinstance(minimax, Mapping) and (_tells_error(minimax) or _minimax(minimax)):
        return minimax
    if (error := _on_a_choice(body.get("choices"))) is not None:
        return error
    if body.get("object") == "error":
        return body
    return None if body.get("choices") else _of_no_answer(body, depth)


def _by_plain_name(body: Mapping[str, Any]) -> dict[str, Any]:
    """The fields under their names in small letters and without marks; the first of those that are alike and hold
    something."""
    fields: dict[str, Any] = {}
    for name, value in body.items():
        plain = _plain(str(name))
        fields[plain] = fields.get(plain) or value
    return fields


@lru_cache(maxsize=1024)  # each chunk of a stream has the same few
def _plain(name: str) -> str:
    return name.lower().translate(_MARKS)


def _is_error(error: object) -> bool:
    """Whether what stands under `error` says anything: some gateways write an empty one beside each answer."""
    if isinstance(error, Mapping):
        return any(error.values()) and not _tells_success(error)
    return any(error) if isinstance(error, list) else bool(error)


def _first_of(error: object) -> object:
    return error[0] if isinstance(error, list) else error


def _on_a_choice(choices: object) -> object | None:
    """A gateway that lost its model's server writes the error on the choice, or on its message; SGLang has it as the
    reason why the answer ended."""
    for choice in choices if isinstance(choices, list) else ():
        if isinstance(choice, Mapping):
            for part in (choice, choice.get("delta"), choice.get("message")):
                fields = _by_plain_name(part) if isinstance(part, Mapping) else {}
                for name in _ERRORS_ON_CHOICE:
                    if _is_error(error := fields.get(name)):
                        return _first_of(error)
            reason: object = choice.get("finish_reason")
            if isinstance(reason, Mapping) and reason.get("message"):
                return reason
    return None


def _of_no_answer(body: Mapping[str, Any], depth: int) -> object | None:
    """The error that an object without an answer is, or that an object within it is."""
    if _tells_error(body):
        return body
    if isinstance(body.get("choices"), list):
        return None
    within = (value for value in body.values() if depth < _DEEPEST and isinstance(value, Mapping))
    errors = (error_in(value, depth + 1) for value in within)
    inner_error = next((error for error in errors if error is not None), None)
    return body if inner_error is None and _has_failing_number(body) else inner_error


def _tells_error(body: Mapping[str, Any]) -> bool:
    """Whether an object without an answer is an error by the names that it has."""
    fields = _by_plain_name(body)
    told = [fields[name] for name in _MESSAGES if isinstance(fields.get(name), str | list) and fields[name]]
    if _tells_success(body):
        return False
    if _NAMED_ERROR.fullmatch(str(fields.get("type") or "")):
        return True
    return any(not _SUCCESS.fullmatch(str(code).strip(" .!")) for code in told)


def _tells_success(body: Mapping[str, Any]) -> bool:
    codes = _codes(body)
    return bool(codes) and all(_SUCCESS.fullmatch(code) for code in codes)


def _codes(body: Mapping[str, Any]) -> list[str]:
    fields = _by_plain_name(body)
    codes = [fields.get(name) for name in _CODES if name not in ("type", "param")]
    return [str(code) for code in codes if isinstance(code, str | int) and code != ""]


def _has_failing_number(body: Mapping[str, Any]) -> bool:
    """Whether a code without a word beside it says that something failed."""
    fields = _by_plain_name(body)
    numbers = [str(fields[name]) for name in _NUMBER_NAMES if type(fields.get(name)) in (int, str)]
    return any(guarded.fullmatch(r"-?\d+", number) and not _SUCCESS.fullmatch(number) for number in numbers)


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
    fields = _by_plain_name(error)
    named = [fields.get(name) for name in _CODES]
    message = _message(error) or in_json(dict(error))
    beside = [in_json(error[name]) for name in _TOLD_BESIDE if error.get(name)]
    words = " ".join(str(part) for part in (*named, message, *beside) if part)[:_READ]
    status = next((code for part in named if (code := _status(part))), None)
    return ServerError(words, f"“{message}”", status, _minimax(error))


def _message(error: Mapping[str, Any]) -> str:
    fields = _by_plain_name(error)
    parts = [fields[name] for name in ("error", "errors", *_MESSAGES) if _is_told(fields.get(name))]
    told = [part if isinstance(part, str) else in_json(part) for part in parts]
    return ": ".join(dict.fromkeys(told[:2]))


def _is_told(part: object) -> bool:
    return isinstance(part, str | list | Mapping) and bool(part)


def _minimax(error: Mapping[str, Any]) -> int | None:
    fields = _by_plain_name(error)
    code = str(fields.get("statuscode"))
    named = "statusmsg" in fields or fields.keys() == {"statuscode"}
    whole = guarded.fullmatch(r"\d{1,6}", code, guarded.ASCII)
    return (int(code) or None) if named and whole else None


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
