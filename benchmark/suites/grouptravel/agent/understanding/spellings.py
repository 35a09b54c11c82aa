"""The names under which one looks a place up that somebody has named."""

from __future__ import annotations

from benchmark.suites.grouptravel.agent.understanding.cities import short_names
from benchmark.text import guarded

_SHORTEST = 2
_PAREN = guarded.compile(r"[(（][^()（）]*[)）]")
_TITLES = guarded.compile(
    r"(?:国家|风景|名胜|文化|旅游|休闲|度假|森林|生态)*(?:景区|风景区|名胜区|旅游区|度假区|区)$"
)


def spellings(name: str, city: str) -> tuple[str, ...]:
    """A name and its sensible shortened forms, longest first: 杭州市那边的西湖风景名胜区, 西湖风景名胜区, 西湖."""
    ways = [name]
    for shorten in (
        lambda text: _PAREN.sub("", text).strip(),
        lambda text: text.rpartition("的")[2],
        lambda text: _without_city(text, city),
        lambda text: _TITLES.sub("", text),
    ):
        ways += [shorten(text) for text in tuple(ways)]
    return tuple(dict.fromkeys(text for text in ways if len(text) >= _SHORTEST))


def _without_city(text: str, city: str) -> str:
    short = next((short for short in short_names(city) if text.startswith(short)), "")
    return guarded.sub(r"^(?:市|那边|这边|当地|市里)*的?", "", text.removeprefix(short)) if short else text
