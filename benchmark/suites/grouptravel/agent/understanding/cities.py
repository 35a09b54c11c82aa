"""Which city a clause speaks of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from benchmark.suites.grouptravel.agent.lexicon import lexicon
from benchmark.text import guarded

_PEOPLES = guarded.compile(r"(?:[\u4e00-\u9fff]{1,3}族)+")
_ENDINGS = guarded.compile(r"(?:自治州|自治县|自治区|地区|市|县|区|州|盟|旗)$")


@dataclass(frozen=True, slots=True)
class Scope:
    """Cities named at [start, end) of a clause for what follows."""

    start: int
    end: int
    cities: tuple[str, ...]


@lru_cache
def short_names(city: str) -> tuple[str, ...]:
    """How people call a city, longest first: 甘孜藏族自治州 is also 甘孜州 and 甘孜."""
    plain = _PEOPLES.sub("", city) if _PEOPLES.search(city) and "自治" in city else city
    short = _ENDINGS.sub("", plain)
    names = {city, plain, short, city.removesuffix("市")}
    if "自治州" in city:
        names.add(f"{short}州")
    return tuple(sorted((name for name in names if len(name) >= 2), key=lambda name: (-len(name), name)))


def owner_of(name: str, cities: tuple[str, ...]) -> str | None:
    """The city whose short name a place's name contains, or whose first two characters it begins with."""
    inside = [city for city in cities if any(short in name for short in short_names(city))]
    if inside:
        return inside[0]
    begins = [city for city in cities if len(short_names(city)[-1]) > 2 and name.startswith(city[:2])]
    return begins[0] if len(begins) == 1 else None


@lru_cache
def _mention(cities: tuple[str, ...], language: str) -> guarded.Pattern:
    words = lexicon(language)
    names = sorted((name for city in cities for name in short_names(city)), key=len, reverse=True)
    any_name = "|".join(guarded.escape(name) for name in names)
    return guarded.compile(
        rf"(?P<open>{words.city_open_pattern})?(?P<list>(?:{any_name})市?(?:(?:{words.joins_pattern})(?:{any_name})市?)*)"
        rf"(?P<tail>{words.city_tail_pattern})"
    )


def find_scopes(clause: str, cities: tuple[str, ...], language: str, glued: Sequence[bool]) -> list[Scope]:
    """The scopes of a clause. A city inside a name (青岛啤酒博物馆) is no scope unless set apart (青岛的…)."""
    if not cities:
        return []
    scopes: list[Scope] = []
    for match in _mention(cities, language).finditer(clause):
        inside = any(glued[match.start("list") : match.end("list")]) and not _arrives(match, clause, language)
        if inside or not _sets_apart(match, clause, language):
            continue
        named = tuple(
            city for city in cities if any(name in match.group("list") for name in short_names(city))
        )
        scopes.append(Scope(match.start(), match.end(), named))
    return scopes


def _sets_apart(match: guarded.Match, clause: str, language: str) -> bool:
    several = guarded.search(lexicon(language).joins_pattern, match.group("list"))
    opener = match.group("open") or ""
    tail = match.group("tail")
    words = lexicon(language)
    after = guarded.match(words.city_after_pattern, clause[match.end() :])
    arrives = _arrives(match, clause, language)
    return bool(several or tail or after or arrives or (opener and opener[0] not in "去到逛"))


def _arrives(match: guarded.Match, clause: str, language: str) -> bool:
    """到了重庆火锅要吃: whoever arrives to eat names the city, not a dish called after it."""
    eats = guarded.search(lexicon(language).verbs["food"], clause[match.end() :])
    return (match.group("open") or "")[:1] == "到" and bool(eats)
