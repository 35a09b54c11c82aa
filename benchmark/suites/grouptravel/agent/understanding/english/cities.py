"""Which city a piece of an English sentence speaks of."""

from __future__ import annotations

from functools import lru_cache

from benchmark.suites.grouptravel.agent.understanding.cities import Scope, short_names
from benchmark.text import guarded

_OPEN = r"(?:\b(?:in|at|to|for|around|near|about|of|from|visit(?:ing)?|reach|we['’]?re in|as for)\s+)"
_BARE_START = guarded.compile(r"\W*(?:(?:and|but|so|also|then|plus|oh|well)\W+)*", guarded.IGNORECASE)
_TAIL = r"(?:['’]s\b|\s*(?=[,:;.!]|$)|\s+(?=(?:i|we|is|has|please|it|there|definitely|absolutely|my)\b))"


@lru_cache
def _called(cities: tuple[str, ...], called: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Every way to call a city, in lower case."""
    own = {name: city for city in cities for name in short_names(city)}
    return own | {name.lower(): city for name, city in called}


@lru_cache
def _mention(cities: tuple[str, ...], called: tuple[tuple[str, str], ...]) -> guarded.Pattern:
    names = sorted(_called(cities, called), key=len, reverse=True)
    one = rf"(?:{'|'.join(map(guarded.escape, names))})(?![\w\u3400-\u9fff])"
    both = rf"{one}(?:\s*[(（](?:{one})[)）])?"
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
    words = _called(cities, called)
    found = []
    for match in _mention(cities, called).finditer(piece):
        if match["open"] or match["tail"] is not None:
            text = match["list"].lower()
            named = tuple(dict.fromkeys(city for name, city in words.items() if name in text))
            trails = bool(guarded.match(r"(?:in|at|near|of|from)\b", match["open"] or "", guarded.IGNORECASE))
            trails = trails and not _BARE_START.fullmatch(piece[: match.start()])
            found.append((Scope(match.start(), match.end(), named), trails))
    return found


def is_city(text: str, cities: tuple[str, ...], called: tuple[tuple[str, str], ...]) -> bool:
    """Whether a name is nothing but that of a city."""
    return text.lower() in _called(cities, called)
