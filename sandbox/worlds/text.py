"""How names are compared and cut into grams for the full-text index."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import zip_longest

CITY_SUFFIXES = ("自治州", "地区", "市", "区", "县")


@lru_cache(maxsize=8192)
def normalise(text: str) -> str:
    """Letters and digits only, case folded, full-width forms made plain: 「Ｍ9·火锅」 is m9火锅."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(character for character in folded if character.isalnum())


def join_keys(texts: Iterable[str]) -> str:
    """Normalised texts on a line each, so that no match runs from one into the next."""
    return "\n".join(key for key in map(normalise, texts) if key)


def one_and_two_grams(key: str) -> Iterator[tuple[int, str]]:
    """(position, gram) of every character and every pair of neighbours of normalised lines."""
    for at, (first, second) in enumerate(zip_longest(key, key[1:], fillvalue="\n")):
        if first != "\n":
            yield at, first
            if second != "\n":
                yield at, first + second


def bare_city(name: str) -> str:
    """The normalised name without one of the suffixes 市, 区, 县, 自治州, 地区, where something remains."""
    key = normalise(name)
    for suffix in CITY_SUFFIXES:
        if key.endswith(suffix) and len(key) > len(suffix):
            return key.removesuffix(suffix)
    return key


def bare_name(name: str) -> str:
    """A city's name without 市. Other suffixes tell a city from the county, district or prefecture of its name."""
    key = normalise(name)
    return key.removesuffix("市") if len(key) > 2 else key
