"""Finding the JSON objects in what a model wrote, and what was written twice."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from benchmark.text import guarded
from benchmark.text.repair import repair_json

_PROSE = guarded.compile("""\\{(?![ \\t\\n\\r]*+\\})[^{}"'“”‘’:：]*+\\}""")
"""Braces in prose: whatever is in them is no JSON, and they are not empty."""
_DEEPEST = 2
"""Wrappers around the answer: {"result": {"ratings": {…}}}."""
_PARENTHESES = guarded.compile(r"[(（][^)）\n]{0,200}+[)）]")
_NO_LETTERS = guarded.compile(r"[\s_\-]+")


class JsonObject(dict[str, Any]):
    """A JSON object with its keys as `plain` gives them.

    pairs: all keys and values. repeated_keys: keys that were written more than once, of which the object has the last
    value.
    """

    def __init__(self, pairs: Iterable[tuple[str, Any]]) -> None:
        self.pairs = [(plain(key), value) for key, value in pairs]
        super().__init__(self.pairs)
        counts = Counter(key for key, _ in self.pairs)
        self.repeated_keys = frozenset(key for key, count in counts.items() if count > 1)


def plain(key: str) -> str:
    """A key without what models change in it: case, blanks, hyphens, underscores, and words in parentheses."""
    return _NO_LETTERS.sub("", _PARENTHESES.sub("", key)).casefold()


_DECODER = json.JSONDecoder(object_pairs_hook=JsonObject)


@dataclass(frozen=True, slots=True)
class JsonSearch:
    """whole: the outermost JSON objects. broken_text: the text from the first object on that is no JSON, "" without
    one; nothing in it is whole.
    """

    whole: list[JsonObject]
    broken_text: str = ""


def objects_in(text: str) -> JsonSearch:
    """The objects of a text, whatever stands around them."""
    whole: list[JsonObject] = []
    at = text.find("{")
    while at >= 0:
        if prose := _PROSE.match(text, at):
            end = prose.end()
        else:
            try:
                value, end = _DECODER.raw_decode(text, at)
            except (ValueError, RecursionError):
                return JsonSearch(whole, text[at:])
            whole.append(value)
        at = text.find("{", end)
    return JsonSearch(whole)


def repair_objects(broken: str) -> list[JsonObject]:
    """The objects that a repair makes of a broken text."""
    value = _plain_value(repair_json(broken))
    return [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, JsonObject)]


def _plain_value(value: Any) -> Any:
    if isinstance(value, dict):
        return JsonObject((key, _plain_value(inner)) for key, inner in value.items())
    return [_plain_value(inner) for inner in value] if isinstance(value, list) else value


def suiting(objects: Iterable[JsonObject], suits: Callable[[JsonObject], bool]) -> Iterator[JsonObject]:
    """The objects that suit, on their own or within a wrapper or two; of a key written twice, both values."""
    return (inner for each in objects for inner in _suiting(each, suits, _DEEPEST))


def _suiting(value: JsonObject, suits: Callable[[JsonObject], bool], deep: int) -> Iterator[JsonObject]:
    if suits(value):
        yield value
    elif deep:
        for _, inner in value.pairs:
            if isinstance(inner, JsonObject):
                yield from _suiting(inner, suits, deep - 1)
