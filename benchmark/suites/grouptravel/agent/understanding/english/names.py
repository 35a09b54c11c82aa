"""The names and cities of an English piece."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from benchmark.suites.grouptravel.agent.lexicon import en
from benchmark.suites.grouptravel.agent.understanding.cities import Scope, short_names
from benchmark.suites.grouptravel.agent.understanding.names import Names
from benchmark.text import guarded

_OPEN = r"(?:\b(?:in|at|to|for|around|near|about|of|from|visit(?:ing)?|reach|we['’]?re in|as for)\s+)"
_BARE_START = guarded.compile(r"\W*(?:(?:and|but|so|also|then|plus|oh|well)\W+)*", guarded.IGNORECASE)
_TAIL = r"(?:['’]s\b|\s*(?=[,:;.!]|$)|\s+(?=(?:i|we|is|has|please|it|there|definitely|absolutely|my)\b))"
_HAN = r"\u3400-\u9fff"
_CHINESE = guarded.compile(
    rf"(?:(?<![A-Za-z0-9])[A-Za-z0-9]++)?[{_HAN}](?:[{_HAN}A-Za-z0-9·•/&-]|[(（][^()（）,;]*[{_HAN}][^()（）,;]*[)）])*"
)
_QUOTATION = guarded.compile(r"[\"“「『《]([^\"”」』》]{2,60})[\"”」』》]")
_PROPER = guarded.compile(
    r"\b[A-Z][\w'’&-]*(?:\s+(?:(?:of|the|of the|de)\s+)?(?:[A-Z][\w'’&-]*|\d+(?=\s+[A-Z])))*"
)
_OBJECT = guarded.compile(
    r"\b(?:eat(?:ing)?|try|have|having|taste|visit(?:ing)?|see(?:ing)?|go(?:ing)? to|get to|some|like|love|avoid"
    r"|without|no)\s+"
    r"(?:(?:to|some|the|a|an|any|real|proper|local)\s+)*(?P<name>[a-z'’-]+(?: [a-z'’-]+){0,2})"
)
_LEAST = 3


@lru_cache
def _city_names(cities: tuple[str, ...], called: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Every way to call a city, in lower case."""
    own = {name: city for city in cities for name in short_names(city)}
    return own | {name.lower(): city for name, city in called}


@lru_cache
def _mention(cities: tuple[str, ...], called: tuple[tuple[str, str], ...]) -> guarded.Pattern:
    names = sorted(_city_names(cities, called), key=len, reverse=True)
    any_name = rf"(?:{'|'.join(map(guarded.escape, names))})(?![\w\u3400-\u9fff])"
    both = rf"{any_name}(?:\s*[(（](?:{any_name})[)）])?"
    return guarded.compile(
        rf"(?P<open>{_OPEN}(?:the\s+)?)?(?<![\w\u3400-\u9fff-])(?P<list>{both}(?:\s*(?:,|/|、|\band\b|&)\s*{both})*)(?P<tail>{_TAIL})?",
        guarded.IGNORECASE,
    )


def find_scopes(
    piece: str, cities: tuple[str, ...], called: tuple[tuple[str, str], ...]
) -> list[tuple[Scope, bool]]:
    """The scopes of a piece, each with whether it follows what it is about (the West Lake in Hangzhou)."""
    if not cities:
        return []
    words = _city_names(cities, called)
    scopes = []
    for match in _mention(cities, called).finditer(piece):
        if match["open"] or match["tail"] is not None:
            text = match["list"].lower()
            named = tuple(dict.fromkeys(city for name, city in words.items() if name in text))
            trails = bool(guarded.match(r"(?:in|at|near|of|from)\b", match["open"] or "", guarded.IGNORECASE))
            trails = trails and not _BARE_START.fullmatch(piece[: match.start()])
            scopes.append((Scope(match.start(), match.end(), named), trails))
    return scopes


def is_city(text: str, cities: tuple[str, ...], called: tuple[tuple[str, str], ...]) -> bool:
    """Whether a name is nothing but that of a city."""
    return text.lower() in _city_names(cities, called)


@dataclass(frozen=True, slots=True)
class NameMention:
    """A name at [start, end) of a piece. text: what goes into a table. said: whether a list of words holds it."""

    start: int
    end: int
    text: str
    said: bool = False


@lru_cache
def _words() -> Mapping[str, str]:
    return {**en.CATEGORIES, **en.CUISINES, **en.HOTELS, **en.MODES}


@lru_cache
def _known_words() -> guarded.Pattern:
    words = sorted(_words(), key=len, reverse=True)
    either = "|".join(guarded.escape(word).replace(r"\ ", r"[\s-]+") for word in words)
    return guarded.compile(rf"(?<![\w-])(?P<word>{either})(?:e?s)?(?![\w-])", guarded.IGNORECASE)


def published_form(word: str) -> str:
    """The published value that an English word stands for, the word itself where it is no known one."""
    plain = guarded.sub(r"\s+", " ", word.lower())
    words = _words()
    singular = (plain, plain.removesuffix("s"), plain.removesuffix("es"), plain.replace(" ", "-"))
    return next((words[form] for form in singular if form in words), word)


def find_names(piece: str, names: Names, taken: Sequence[tuple[int, int]] = ()) -> list[NameMention]:
    """The names of a piece in order; a Chinese name in brackets counts for the English words before it.

    taken: what is used already, such as a city that only says where.
    """
    mentions = [
        NameMention(match.start(1), match.end(1), _value(match.group(1)))
        for match in _QUOTATION.finditer(piece)
    ]
    mentions += _chinese(piece, mentions)
    glossed = [_gloss_before(piece, name.start) for name in mentions]
    used = [*taken, *((name.start, name.end) for name in mentions), *(span for span in glossed if span)]
    proper = _proper(piece)
    long = [name for name in proper if " " in name.text and published_form(name.text) == name.text]
    for extra in (_known_names(piece, names), long, _listed_names(piece), proper):
        fresh = [name for name in extra if _is_free(name, used)]
        mentions += fresh
        used += [(name.start, name.end) for name in fresh]
    if not mentions:
        mentions = [name for name in _objects(piece) if _is_free(name, used)]
    return sorted(mentions, key=lambda name: name.start)


def _value(text: str) -> str:
    """A quotation as it stands, unless it is a gloss with its name: high-speed rail (高铁)."""
    inner = guarded.search(rf"[(（]([^()（）]*[{_HAN}][^()（）]*)[)）]\s*$", text)
    return inner.group(1) if inner and guarded.match(r"[A-Za-z]", text) else text.strip()


def _chinese(piece: str, mentions: Iterable[NameMention]) -> list[NameMention]:
    used = [(name.start, name.end) for name in mentions]
    names = (NameMention(m.start(), m.end(), m.group()) for m in _CHINESE.finditer(piece))
    return [name for name in names if _is_free(name, used)]


def _gloss_before(piece: str, start: int) -> tuple[int, int] | None:
    """The English words that a Chinese name in brackets explains: those since the last cut."""
    if not guarded.search(r"[(（]\s*$", piece[:start]):
        return None
    last = max(piece.rfind(sign, 0, start - 1) for sign in ",;:()（）")
    cut = guarded.search(r".*\b(?:and|or|nor|with|by|in|of)\s", piece[last + 1 : start])
    return last + 1 + (cut.end() if cut else 0), start


def _is_free(name: NameMention, used: Iterable[tuple[int, int]]) -> bool:
    return all(name.end <= start or name.start >= end for start, end in used)


def _known_names(piece: str, names: Names) -> list[NameMention]:
    """Names without Chinese characters that tools have returned."""
    mentions = []
    for name in names.kinds:
        place = piece.lower().find(name.lower()) if name.isascii() and len(name) > _LEAST else -1
        if place >= 0:
            mentions.append(NameMention(place, place + len(name), name))
    return sorted(mentions, key=lambda mention: mention.start - mention.end)


def _listed_names(piece: str) -> list[NameMention]:
    return [
        NameMention(m.start(), m.end(), published_form(m.group("word")), said=True)
        for m in _known_words().finditer(piece)
        if not guarded.match(r"\s+(?:stations?|tickets?|times?)\b", piece[m.end() :])
    ]


def _proper(piece: str) -> list[NameMention]:
    """Words with capitals, without those at either end that begin sentences and name nothing."""
    mentions = []
    for match in _PROPER.finditer(piece):
        words = [(m.start(), m.end()) for m in guarded.finditer(r"\S+", match.group())]
        while words and _is_common(match.group()[slice(*words[0])]):
            words.pop(0)
        while words and _is_common(match.group()[slice(*words[-1])]):
            words.pop()
        if words and not guarded.match(r"User\d*\b", match.group()[words[0][0] :]):
            start, end = match.start() + words[0][0], match.start() + words[-1][1]
            text = guarded.sub(r"['’]s$", "", piece[start:end])
            if match.start() > 0 or len(words) > 1 or start > match.start():
                mentions.append(NameMention(start, end, text))
    return [name for name in mentions if len(name.text) > 1]


def _is_common(word: str) -> bool:
    return guarded.sub(r"['’]", "'", word.lower()).strip(".'") in en.STOP


def _objects(piece: str) -> list[NameMention]:
    """Small words after a verb of eating or seeing: a dish or a place that no list knows."""
    mentions = []
    for match in _OBJECT.finditer(piece):
        kept: list[str] = []
        for word in match.group("name").split():
            if _is_common(word):
                break
            kept.append(word)
        text = " ".join(kept)
        if len(text) >= _LEAST:
            mentions.append(NameMention(match.start("name"), match.start("name") + len(text), text))
    return mentions
