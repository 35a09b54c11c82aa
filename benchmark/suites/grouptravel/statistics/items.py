"""The items of a preference table, as the paper counts them (GroupTravelBench, table 9)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from benchmark.suites.grouptravel.preferences import FIELDS, FilledFields, PreferenceField

NAMES: Mapping[PreferenceField, str] = {
    field: ".".join((field.keys[0].removesuffix("_preference"), field.keys[-1])) for field in FIELDS
}
"""What the paper's table calls each field: `attractions.positive`, `hotel.avoid`, `transport.must`."""
LISTS = tuple(NAMES[field] for field in FIELDS if field.kind == "list")
"""The fields that hold lists, in the order of the schema."""


class Oddity(NamedTuple):
    """Something in a table that a published task should not have.

    kind: two_tiers, twice, broken_encoding, no_text, no_list or no_number. path: of the field. item: what stands
    there.
    """

    kind: str
    path: str
    item: str


def is_item(entry: Any) -> bool:
    """Whether an entry of a list is an item: a text that is not blank."""
    return isinstance(entry, str) and bool(entry.strip())


def is_cap(value: Any) -> bool:
    """Whether a budget or a cap of intensity limits something: a finite number above zero."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < float("inf")


class TableItems(NamedTuple):
    """What stands in a table. fields: items by field, over all cities; a field without any is left out."""

    fields: Mapping[PreferenceField, int]
    oddities: Sequence[Oddity]


def count_items(held: FilledFields) -> TableItems:
    """The items of a table, of which `filled` gives the fields: entries of lists, and 1 for each cap.

    An entry that stands in two lists counts in both, as one that stands in a list twice does.
    """
    fields: dict[PreferenceField, int] = {}
    odd: list[Oddity] = []
    seen: dict[tuple[str, str, str], list[PreferenceField]] = {}
    for field, city, value in held:
        if field.kind == "list" and isinstance(value, list):
            count = 0
            for entry in value:
                if is_item(entry):
                    count += 1
                    odd += _of_item(entry, field, city, seen.setdefault((field.topic, city, entry), []))
                else:
                    odd.append(Oddity("no_text", field.path_in(city), _short(entry)))
        else:
            count = int(field.kind == "scalar" and is_cap(value))
            if not count:
                kind = "no_number" if field.kind == "scalar" else "no_list"
                odd.append(Oddity(kind, field.path_in(city), _short(value)))
        if count:
            fields[field] = fields.get(field, 0) + count
    return TableItems(fields, odd)


def _of_item(item: str, field: PreferenceField, city: str, held: list[PreferenceField]) -> list[Oddity]:
    """held: the fields of this city in which the item stands already; it gains this one."""
    kind = ""
    if held:
        kind = "twice" if field in held else "two_tiers"
    elif broken_encoding(item):
        kind = "broken_encoding"
    held.append(field)
    return [Oddity(kind, field.path_in(city), item)] if kind else []


@lru_cache(maxsize=4096)
def broken_encoding(text: str) -> bool:
    """Whether a text was read in another encoding than it was written in, as far as that can be told.

    It holds a character that no text has, or its bytes in a usual wrong encoding are another text in UTF-8.
    """
    if any(letter == "\ufffd" or unicodedata.category(letter) in ("Cc", "Cn", "Co", "Cs") for letter in text):
        return True
    return not text.isascii() and any(map(_is_chinese, _as_written(text)))


def _as_written(text: str) -> Iterator[str]:
    for wrong in ("latin-1", "cp1252", "gbk"):
        try:
            yield text.encode(wrong).decode("utf-8")
        except UnicodeError:
            continue


def _is_chinese(text: str) -> bool:
    return bool(text) and all("\u4e00" <= letter <= "\u9fff" for letter in text)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"
