"""When two calls are the same call."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from hashlib import blake2b
from typing import Any, Literal, get_args

from pydantic.fields import FieldInfo

from sandbox.calls import Call
from sandbox.toolsets import tool_of, toolset_of

Normalisation = Literal["published", "strict-semantic"]

NORMALISER_VERSION = 1
"""Of `semantic_key`. A pack holds its hashes, and has to be folded again when it changes."""

MOST_NESTED = 50
"""Lists and objects within each other that the value of an argument may have."""

_NUMBER = r"[+-]?\d{1,15}(?:\.\d{1,15})?"
_COORDINATES = re.compile(rf"({_NUMBER})\s*,\s*({_NUMBER})", re.ASCII)


class KeyProblem(ValueError):
    """A text that is no cache key; the message says why."""


def published_key(pairs: Mapping[str, Any]) -> str:
    """The published key: compact JSON of `[name, value]` pairs sorted by name; nothing else is normalised."""
    return json.dumps(
        [[name, pairs[name]] for name in sorted(pairs)], ensure_ascii=False, separators=(",", ":")
    )


def read_key(key: str) -> dict[str, Any]:
    """The pairs that a published key was made from.

    Raises:
        KeyProblem: the text is no JSON list of `[name, value]` pairs with names of their own, or holds what is no
            Unicode text.
    """
    try:
        pairs = json.loads(key)
    except (ValueError, RecursionError) as error:
        raise KeyProblem("is no JSON") from error
    if not isinstance(pairs, list) or not all(_is_pair(pair) for pair in pairs):
        raise KeyProblem("is not a list of [name, value] pairs")
    arguments = dict(pairs)
    if len(arguments) < len(pairs):
        raise KeyProblem("names an argument twice")
    _check_values(key, arguments)
    return arguments


def _check_values(key: str, arguments: dict[str, Any]) -> None:
    if key.count("[") + key.count("{") > MOST_NESTED and _is_deeper(arguments, MOST_NESTED):
        raise KeyProblem(f"is nested more than {MOST_NESTED} deep")
    if not _is_text(published_key(arguments) if "\\u" in key else key):
        raise KeyProblem("holds half of a surrogate pair, which is not text")


def _is_deeper(value: Any, levels: int) -> bool:
    if not isinstance(value, (list, dict)):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(_is_deeper(each, levels - 1) for each in inner)


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_pair(pair: object) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str)


def semantic_key(call: Call) -> str:
    """The key under `strict-semantic`: defaults count as given, and forms of writing as the same.

    Numbers of equal value, composed and decomposed characters, full and half width, outer space, and where a place is
    named spaces and trailing zeros of coordinates are folded. Words are not: 北京市 and 北京 stay two.
    """
    tool, toolset = tool_of(call.tool), toolset_of(call.tool)
    fields, places = tool.arguments.model_fields if tool else {}, toolset.places if toolset else frozenset()
    folded = {name: _fold_case(value) for name, value in call.arguments.items()}
    folded |= {name: _folded_point(value) for name, value in folded.items() if name in places}
    said = {name: value for name, value in folded.items() if not _says_nothing(fields.get(name), value)}
    return _key(replace(call, arguments=said))


def _says_nothing(field: FieldInfo | None, value: Any) -> bool:
    """Whether an argument is what its absence means. Null is, where it may stand; elsewhere it is an error."""
    if field is None or field.is_required():
        return False
    if value is None:
        return type(None) in get_args(field.annotation)
    return _same(_fold_case(field.default), value)


def _same(default: Any, value: Any) -> bool:
    return type(default) is type(value) and bool(default == value)


def _fold_case(value: Any) -> Any:
    if isinstance(value, str):
        return _folded_text(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_fold_case(item) for item in value]
    if isinstance(value, dict):
        return {name: _fold_case(item) for name, item in sorted(value.items())}
    return value


def _folded_text(text: str) -> str:
    if unicodedata.is_normalized("NFKC", text):
        return text.strip()
    return unicodedata.normalize("NFC", "".join(map(_of_usual_width, text))).strip()


def _of_usual_width(character: str) -> str:
    wide = unicodedata.decomposition(character).startswith(("<wide>", "<narrow>"))
    return unicodedata.normalize("NFKC", character) if wide else character


def _folded_point(value: Any) -> Any:
    point = _COORDINATES.fullmatch(value) if isinstance(value, str) else None
    return ",".join(map(_folded_number, point.groups())) if point else value


def _folded_number(digits: str) -> str:
    number = Decimal(digits)
    return f"{number.normalize():f}" if number else "0"


def key_of(call: Call, normalisation: Normalisation) -> str:
    """The key of a call."""
    return _key(call) if normalisation == "published" else semantic_key(call)


def call_of(tool: str, key: str) -> Call:
    """The call that a published key was made from. tool: its name in caches.

    Raises:
        KeyProblem: the text is no key, or none of this toolset.
    """
    pairs, toolset = read_key(key), toolset_of(tool)
    try:
        return toolset.key.call(tool, pairs) if toolset else Call(tool, pairs)
    except (ValueError, KeyError, TypeError) as error:
        raise KeyProblem(f"is no key of this tool ({error})") from error


def pairs_of(call: Call) -> Mapping[str, Any]:
    """What the key of a call holds, as its toolset says."""
    toolset = toolset_of(call.tool)
    return toolset.key.pairs(call) if toolset else call.arguments


def _key(call: Call) -> str:
    return published_key(pairs_of(call))


def hash_of(tool: str, key: str) -> int:
    """64 bits of a tool and a key, signed, for an index; a hit is still compared with the key."""
    digest = blake2b(f"{tool}\0{key}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


@dataclass(frozen=True, slots=True)
class Entry:
    """One cached call. key: as published. result: the tool's text, byte for byte."""

    tool: str
    key: str
    result: str

    @property
    def call(self) -> Call:
        """The call that the key was made from."""
        return call_of(self.tool, self.key)


@dataclass(frozen=True, slots=True)
class MissedCall:
    """A call that a cache did not know. params: its arguments as JSON text. simulated_result: None where nothing was.

    timestamp: of the first time, as it was written. count: how often it was missed.
    """

    tool: str
    params: str
    simulated_result: Any
    timestamp: str | int | float
    count: int
    call: Call


class CacheError(Exception):
    """A cache, or a file that should become one, that can't be used; the message says where and what helps."""
