"""Who a message addresses, and compromise markers: `[dotted.path : value]` at the very end of one (appendix A.6)."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import orjson

from benchmark.core.actions import PASS
from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.preferences import CITY_ROOT, FIELDS, GLOBAL_ROOT
from benchmark.text import guarded

FIELD_NAMES = tuple(dict.fromkeys((GLOBAL_ROOT, CITY_ROOT, *(key for field in FIELDS for key in field.keys))))
PREFIXES = ("", f"{GLOBAL_ROOT}.", f"{CITY_ROOT}.")

_HEAD = guarded.compile(r"\[\s*+([^\s\[\]:][^\[\]:\n]*+)\s*+:")


@lru_cache(maxsize=512)
def _pattern(names: tuple[str, ...]) -> guarded.Pattern:
    longest_first = sorted(names, key=len, reverse=True)
    return guarded.compile("@(" + "|".join(map(guarded.escape, longest_first)) + r")(?![A-Za-z0-9_])")


def mention_pattern(users: Iterable[str]) -> guarded.Pattern:
    """A pattern for `@name` of a user or of the agent: case-sensitive, not followed by an ASCII word character."""
    return _pattern((*users, AGENT))


def rightmost_mention(text: str, users: Iterable[str]) -> str | None:
    """The last name mentioned in `text`, None where nobody is."""
    mentions = mention_pattern(users).findall(text)
    return mentions[-1] if mentions else None


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker found at the end of a message. text: the message without it; raw: the marker as written."""

    text: str
    raw: str
    path: str
    value: Any


def without_trailing_pass(content: str) -> str:
    """The message without the passes that trail after text, and without trailing newlines.

    A message that is nothing but a pass stays as it is.
    """
    written = kept = content.rstrip()
    while kept[-len(PASS) :].lower() == PASS:
        kept = kept[: -len(PASS)].rstrip()
    return kept if kept and kept != written else content.rstrip("\n")


def is_pass(content: str) -> bool:
    """Exactly `[pass]`; any other spelling is an ordinary message."""
    return content == PASS


def find_marker(content: str) -> Marker | None:
    """The marker at the end of `content`, None where there is none."""
    written = content.rstrip()
    line = written.rfind("\n")
    heads = _HEAD.finditer(written) if written.endswith("]") else ()
    head = next((head for head in heads if head.end() > line), None)
    if head is None:
        return None
    value = read_value(written[head.end() : -1])
    return Marker(content[: head.start()].rstrip(), written[head.start() :], head.group(1).rstrip(), value)


def read_value(written: str) -> Any:
    """A marker's value: JSON, an inner bracket closed where it was left open, else the bare string.

    What no record can hold (NaN, half a surrogate pair, hundreds of levels) is a bare string too.
    """
    text = written.strip()
    for candidate in (text, text + "]", text + "}"):
        try:
            value = orjson.loads(candidate)
            orjson.dumps(value)
            return value
        except (orjson.JSONDecodeError, orjson.JSONEncodeError):
            continue
    return text


def cut_path(path: str) -> str:
    """`path` with decorated field names cut to the field, and equal neighbours collapsed."""
    segments: list[str] = []
    for segment in path.split("."):
        name = _cut_segment(segment.strip())
        if not segments or segments[-1] != name:
            segments.append(name)
    return ".".join(segments)


def _cut_segment(segment: str) -> str:
    if segment in FIELD_NAMES:
        return segment
    cuts = [name for name in FIELD_NAMES if segment.startswith(name + "_")]
    return max(cuts, key=len, default=segment)


def resolve_path(table: dict[str, Any], path: str) -> str | None:
    """The first of path, global_constraints.path, city_specific_preferences.path whose parent exists in `table`.

    The leaf itself may be missing: setting it creates it. None where no parent exists.
    """
    cut = cut_path(path)
    for prefix in PREFIXES:
        if _parent(table, prefix + cut) is not None:
            return prefix + cut
    return None


def _parent(table: dict[str, Any], path: str) -> dict[str, Any] | None:
    node: Any = table
    for segment in path.split(".")[:-1]:
        node = node.get(segment) if isinstance(node, dict) else None
    return node if isinstance(node, dict) else None


def value_at(table: dict[str, Any], path: str) -> Any:
    """What stands at a resolved path, None where nothing does."""
    parent = _parent(table, path)
    return parent.get(path.rsplit(".", 1)[-1]) if parent is not None else None


def with_value(table: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A copy of `table` with `value` at a resolved path.

    Raises:
        KeyError: the path has no parent in the table.
    """
    changed = copy.deepcopy(table)
    parent = _parent(changed, path)
    if parent is None:
        raise KeyError(path)
    parent[path.rsplit(".", 1)[-1]] = value
    return changed
