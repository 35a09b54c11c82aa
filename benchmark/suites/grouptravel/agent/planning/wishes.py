"""Which known place a named wish means: plans hold only places that a tool has returned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from benchmark.suites.grouptravel.agent.planning.knowledge import Knowledge, Place
from benchmark.suites.grouptravel.agent.planning.spots import places_in
from benchmark.suites.grouptravel.agent.planning.tastes import Taste
from benchmark.suites.grouptravel.agent.understanding.spellings import spellings

_SHORTEST_INSIDE = 3


def meaning(name: str, city: str, places: Sequence[Place]) -> str | None:
    """What to look for in the names of sights to satisfy a wish; None when no tool knows such a place."""
    visited = [place.name for place in places if place.kind in {"attraction", "landmark"}]
    held = next((text for text in spellings(name, city) if any(text in known for known in visited)), None)
    inside = (known for known in visited if len(known) >= _SHORTEST_INSIDE and known in name)
    return held or max(inside, key=len, default=None)


def known_wishes(
    tastes: Iterable[Taste], cities: Iterable[str], known: Knowledge
) -> tuple[tuple[Taste, ...], tuple[str, ...]]:
    """Tastes whose named sights are all known, in the tools' spelling, and the sights that no tool knows."""
    places = {city: places_in(known, city) for city in cities}
    meant = {(city, name): meaning(name, city, places[city]) for city, name in _named_sights(tastes, places)}
    settled = tuple(_settle_names(taste, meant) for taste in tastes)
    return settled, tuple(dict.fromkeys(name for (_, name), text in meant.items() if text is None))


def _named_sights(tastes: Iterable[Taste], cities: Iterable[str]) -> Iterator[tuple[str, str]]:
    for city in cities:
        for taste in tastes:
            yield from ((city, name) for name in taste.of(city).must_visit)


def _settle_names(taste: Taste, meant: dict[tuple[str, str], str | None]) -> Taste:
    return replace(
        taste,
        cities={
            city: replace(
                wishes,
                must_visit=tuple(
                    dict.fromkeys(text for name in wishes.must_visit if (text := meant.get((city, name))))
                ),
            )
            for city, wishes in taste.cities.items()
        },
    )
