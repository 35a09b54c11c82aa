"""What the words of a search ask for: kinds of place, and texts to find."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sandbox.worlds.records import PlaceKind
from sandbox.worlds.text import normalise

_KIND_WORDS: dict[PlaceKind, tuple[str, ...]] = {
    "attraction": ("旅游景点", "风景区", "景点", "景区", "attraction", "attractions", "sights"),
    "restaurant": ("餐厅", "餐馆", "饭店", "餐饮", "美食", "restaurant", "restaurants", "food"),
    "hotel": ("酒店", "住宿", "宾馆", "hotel", "hotels", "accommodation"),
    "landmark": ("地标", "landmark", "landmarks"),
}
_PRAISE = ("必去", "必玩", "必吃", "必打卡", "热门", "著名", "知名", "有名", "推荐", "人气", "经典", "好玩", "好吃",
    "当地", "本地", "附近", "周边", "便宜", "平价", "实惠", "免费")  # fmt: skip
"""What people write beside a kind and no record says: it selects nothing."""
_LISTS = ("推荐", "攻略", "大全", "排行", "排行榜")


def _with_praise(word: str, kind: PlaceKind) -> tuple[str, ...]:
    """A word for a kind, bare and as people ask for it: 必去景点, 便宜的酒店, 美食推荐; not the category 特色景点."""
    praise = (*_PRAISE, "特色") if kind == "restaurant" else _PRAISE
    before = (f"{each}{link}{word}" for each in praise for link in ("", "的"))
    return (word, *before, *(word + each for each in _LISTS))


_KIND_BY_WORD = {
    each: kind
    for kind, words in _KIND_WORDS.items()
    for word in words
    for each in (_with_praise(word, kind) if not word.isascii() else (word,))
}
_KIND_ENDINGS: dict[str, PlaceKind] = {**_KIND_BY_WORD, "店": "restaurant", "馆": "restaurant"}
"""What a word may end with beside what it is about: 川菜馆, 火锅店."""
_ENDING_ORDER = {ending: place for place, ending in enumerate(_KIND_ENDINGS)}
_LONGEST_ENDING = max(map(len, _KIND_ENDINGS))
_SEPARATORS = re.compile(r"[\s,，、;；|]+")


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a word: a normalised text, and the kind that it then implies."""

    text: str
    kind: PlaceKind | None = None


@dataclass(frozen=True, slots=True)
class Keywords:
    """`kinds` (any of them; empty: all kinds) and `words`, each with its readings; every word must match."""

    kinds: tuple[PlaceKind, ...]
    words: tuple[tuple[Reading, ...], ...]
    whole: str


def split_words(text: str) -> list[str]:
    """The words of a search as they are written."""
    return _SEPARATORS.split(text)


def read_keywords(text: str, city_names: Sequence[str] = ()) -> Keywords:
    """Split at spaces and commas. 景点, 美食, 酒店 and the like select a kind; 川菜餐厅 is also read as
    a restaurant for 川菜, and 杭州西湖 as 西湖 where 杭州 is among `city_names`.
    """
    keys = [key for key in map(normalise, split_words(text)) if key]
    prefixes = tuple(sorted((normalise(name) for name in city_names if name), key=len, reverse=True))
    kinds = tuple(dict.fromkeys(_KIND_BY_WORD[key] for key in keys if key in _KIND_BY_WORD))
    rest = [key for key in keys if key not in _KIND_BY_WORD]
    if kinds:
        rest = [key for key in rest if key not in _PRAISE and key not in _LISTS]
    words = tuple(_readings(key, prefixes) for key in rest if key not in prefixes or len(rest) == 1)
    plain = tuple(word for word in words if word[0].text)
    return _kinds_after_city(Keywords(kinds, plain, "".join(rest)))


def _kinds_after_city(keywords: Keywords) -> Keywords:
    """杭州景点 in Hangzhou leaves just the kind."""
    bare = [word for word in keywords.words if any(not reading.text for reading in word)]
    kinds = tuple(reading.kind for word in bare for reading in word if not reading.text and reading.kind)
    words = tuple(word for word in keywords.words if word not in bare)
    return Keywords(tuple(dict.fromkeys((*keywords.kinds, *kinds))), words, keywords.whole)


def _readings(key: str, city_prefixes: Sequence[str]) -> tuple[Reading, ...]:
    texts = [key]
    texts.extend(
        key.removeprefix(prefix) for prefix in city_prefixes if key.startswith(prefix) and key != prefix
    )
    readings = [Reading(text) for text in texts]
    readings.extend(_of_kind(text, ending) for text in texts for ending in _endings(text))
    return tuple(dict.fromkeys(readings))


def _endings(text: str) -> list[str]:
    """The words for a kind that a text ends with; 馆 and 店 say a kind only after something else."""
    tails = (text[-length:] for length in range(1, min(len(text), _LONGEST_ENDING) + 1))
    endings = [tail for tail in tails if tail in (_KIND_BY_WORD if tail == text else _KIND_ENDINGS)]
    return sorted(endings, key=_ENDING_ORDER.__getitem__)


def _of_kind(text: str, ending: str) -> Reading:
    return Reading(text.removesuffix(ending), _KIND_ENDINGS[ending])
