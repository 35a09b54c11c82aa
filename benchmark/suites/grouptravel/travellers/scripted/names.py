"""Finding the names that matter to a traveller in free text: longest first, so that none is read inside another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from benchmark.suites.grouptravel.preferences import TRANSPORT_MODES
from benchmark.suites.grouptravel.travellers.scripted.language import Language
from benchmark.suites.grouptravel.travellers.scripted.wishes import Wishes
from benchmark.text import guarded
from sandbox.worlds.records import HOTEL_CLASSES

CLOSED_LISTS = {"transport": TRANSPORT_MODES, "hotels": HOTEL_CLASSES}
_CLASS = {name: topic for topic, names in reversed(CLOSED_LISTS.items()) for name in names}
CONTEXT_LENGTH = 160
"""Characters beside a name, or a figure, in which words about it are looked for."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A known `name` at [start, end) of a text; the text may use another word for it."""

    name: str
    start: int
    end: int


def vocabulary(wishes: Wishes, language: Language) -> dict[str, str]:
    """Every word to look for, with the name it stands for: the table's names, modes, hotel classes, other words."""
    held = wishes.names()
    words = {name: name for names in CLOSED_LISTS.values() for name in names}
    for kind, aliases in language.aliases.items():
        words |= {word: name for word, name in aliases.items() if kind != "kinds" or name in held}
    return words | _short_sights(wishes, language) | {name: name for name in held}


def _short_sights(wishes: Wishes, language: Language) -> dict[str, str]:
    """Sights without 风景名胜区 and the like, where what is left can mean only one of the table's names."""
    sights = {name for wish in wishes.all if wish.topic == "sights" for name in wish.items}
    short = {name: language.patterns["text.sight_suffix"].sub("", name) for name in sights}
    return {
        word: name
        for name, word in short.items()
        if len(word) > 1 and not any(word in other for other in (*wishes.names() - {name}, *wishes.cities))
    }


def find(text: str, words: Mapping[str, str]) -> list[Mention]:
    """The mentions of `words` in `text`, in order; overlaps go to the longest word, a word for "" is none.

    A gloss and its name, either in brackets after the other, are both mentions: of the same name.
    """
    mentions: list[Mention] = []
    lower, taken = text.lower(), bytearray(len(text))
    for word in sorted((word for word in words if word.lower() in lower), key=len, reverse=True):
        for start, end in (match.span() for match in _spelling(word).finditer(text)):
            if not any(taken[start:end]):
                taken[start:end] = b"\1" * (end - start)
                mentions.append(Mention(words[word], start, end))
    return sorted((mention for mention in mentions if mention.name), key=lambda mention: mention.start)


@lru_cache(maxsize=1024)
def _spelling(word: str) -> guarded.Pattern:
    """How a word is written in a text: as it stands, but an English one in any case, whole, and in the plural."""
    if not word.isascii():
        return guarded.compile(guarded.escape(word))
    return guarded.compile(
        rf"(?<![A-Za-z0-9]){guarded.escape(word)}(?:e?s)?(?![A-Za-z0-9])", guarded.IGNORECASE
    )


def hide(text: str, names: Iterable[str]) -> str:
    """`text` with every one of `names` blanked out, at unchanged length."""
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, "□" * len(name))
    return text


def closed_class(name: str) -> str:
    """The topic whose closed list holds `name`, or ""."""
    return _CLASS.get(name, "")


def open_names(wishes: Wishes) -> frozenset[str]:
    """The table's names that are neither modes nor hotel classes."""
    return frozenset(name for name in wishes.names() if not closed_class(name))


def city_words(cities: Iterable[str], language: Language, query: str = "") -> dict[str, str]:
    """How the cities may be called: in full, without 市, 县, 自治州, and as `query` glosses them: Suzhou (苏州市)."""
    glosses = language.patterns["text.gloss"].finditer(query)
    words = {match["gloss"]: match["name"] for match in glosses if match["name"] in cities}
    for city in cities:
        short = language.patterns["text.city_suffix"].sub("", city)
        words |= {city: city} | ({short: city} if len(short) > 1 else {})
    return words


def other_names(me: str, names: Iterable[str]) -> guarded.Pattern:
    """An expression for the chat name of any traveller but `me`; it matches nothing when there is none."""
    others = sorted((name for name in names if name != me), key=len, reverse=True)
    return guarded.compile(
        rf"(?:{'|'.join(map(guarded.escape, others))})(?![A-Za-z0-9_])" if others else r"(?!)"
    )


def marked_mentions(
    text: str, mentions: Sequence[Mention], language: Language, before: str, after: str = ""
) -> frozenset[Mention]:
    """The mentions that have the expression `before` before them or `after` after them; A、B share what A has."""
    marked: set[Mention] = set()
    previous, found_end = None, 0
    for mention in mentions:
        joined = previous in marked and language.has("text.joined", text[found_end : mention.start])
        preceded = language.has(before, text_before(text, mention.start))
        if (
            joined
            or preceded
            or (after and language.has(after, text[mention.end : mention.end + CONTEXT_LENGTH]))
        ):
            marked.add(mention)
        previous, found_end = mention, mention.end
    return frozenset(marked)


def text_before(text: str, place: int) -> str:
    """What stands right before `place`, as far as words about what follows can stand."""
    return text[max(0, place - CONTEXT_LENGTH) : place]


def pieces(text: str, pattern: guarded.Pattern) -> Iterator[str]:
    """The non-blank pieces of `text` that `pattern` cuts out."""
    return (match.group() for match in pattern.finditer(text) if match.group().strip())
