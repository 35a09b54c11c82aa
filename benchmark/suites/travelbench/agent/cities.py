"""The cities that a text names, and where the user is, as the tools take them."""

from __future__ import annotations

from functools import lru_cache

from benchmark.suites.travelbench.agent.lexicon import CITIES_EN
from benchmark.suites.travelbench.tasks.context import place
from benchmark.text import guarded
from sandbox.toolsets.travelbench import areas

_SUFFIXES = ("市", "地区", "自治州", "盟")
_NO_CITY = r"(?![路街陵大道]|[东西南北中]路)"
"""What makes a street of a city's name: 北京路, 南京东路."""


@lru_cache(maxsize=1)
def _city_names() -> dict[str, str]:
    """Full paths of cities by every way to call them."""
    names: dict[str, str] = {}
    for division in areas.divisions():
        if division.name != division.city:
            continue
        names.setdefault(division.name, division.path)
        if division.name.endswith("市") and len(division.name) > len("京市"):
            names.setdefault(division.name.removesuffix("市"), division.path)
    return names | {name: names[short] for name, short in CITIES_EN.items() if short in names}


@lru_cache(maxsize=1)
def _pattern() -> guarded.Pattern:
    names = sorted(_city_names(), key=len, reverse=True)
    chinese = "|".join(guarded.escape(name) for name in names if not name.isascii())
    english = "|".join(guarded.escape(name) for name in names if name.isascii())
    return guarded.compile(
        rf"(?:{chinese}){_NO_CITY}|\b(?:{english})\b(?! (?:road|street))", guarded.IGNORECASE
    )


def cities_in(text: str) -> list[str]:
    """The full paths (浙江省杭州市) of the cities that a text names, in their order, each once."""
    cities = (
        _city_names()[match[0].lower() if match[0].isascii() else match[0]]
        for match in _pattern().finditer(text)
    )
    return list(dict.fromkeys(cities))


def city_here(context: str) -> str:
    """The full path of the user's city, "" where the context tells none."""
    here = place(context)
    if here is None:
        return ""
    division = areas.read(here.text)
    if division is None:
        named = cities_in(here.text)
        return named[-1] if named else ""
    city = areas.read(division.city)
    return city.path if city else division.path


def short(path: str) -> str:
    """What a city is called in a sentence."""
    division = areas.read(path)
    return division.city.removesuffix("市") if division else path


@lru_cache(maxsize=1)
def _english() -> dict[str, str]:
    return {name: english.title() for english, name in reversed([*CITIES_EN.items()])}


def in_english(path: str) -> str:
    """What a city is called in an English sentence, in Chinese where it has no English name."""
    return _english().get(short(path), short(path))
