"""Cities as people name them: 北京 for 北京市, Hangzhou where the task says which city that is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from benchmark.suites.grouptravel.preferences import FieldValues
from benchmark.suites.grouptravel.scoring.validity.checks import city_stem
from benchmark.text import guarded

_GLOSS = guarded.compile(
    r"([A-Z][A-Za-z'’]{1,30}+(?:[ -][A-Z][A-Za-z'’]{1,30}+){0,5})\s*+[（(]\s*+([一-鿿]{2,})\s*+[)）]"
)
"""A name of at most six words; without bounds every letter of a long text would be followed to its end."""


class Places:
    """The cities of a record's tables. Names of wishes that hold the name of a city do not speak of it (北京烤鸭)."""

    def __init__(self, wanted: Mapping[str, FieldValues], query: str) -> None:
        self._cities = wanted
        self._query = query

    def cities_named(self, text: str) -> frozenset[str]:
        """The cities that a text names."""
        return frozenset([city for _, city in self.at(text)])

    def at(self, text: str) -> list[tuple[int, str]]:
        """Where a text names which city, in order."""
        names, pattern = self._names
        if pattern is None:
            return []
        names_at = [(match.start(), names.get(match.group().lower())) for match in pattern.finditer(text)]
        return [(start, city) for start, city in names_at if city is not None]

    @cached_property
    def _names(self) -> tuple[Mapping[str, str], guarded.Pattern | None]:
        names = dict(self._forms())
        if not names:
            return names, None
        stems = guarded.compile("|".join(map(guarded.escape, names)), guarded.IGNORECASE)
        wishes = [wish.lower() for wish in self._wishes() if stems.search(wish)]
        longest = sorted({*names, *wishes}, key=len, reverse=True)
        return names, guarded.compile("|".join(map(guarded.escape, longest)), guarded.IGNORECASE)

    def _forms(self) -> Iterator[tuple[str, str]]:
        """What people call a city, in lower case, with its name in the tables."""
        cities = [city for held in self._cities.values() for city in held if len(city) > 1]
        by_stem = {city_stem(city): city for city in cities}
        for stem, city in by_stem.items():
            yield (stem if len(stem) > 1 else city).lower(), city
        for english, name in _GLOSS.findall(self._query):
            if city := by_stem.get(city_stem(name), ""):
                yield english.lower(), city

    def _wishes(self) -> Iterator[str]:
        for held in self._cities.values():
            for fields in held.values():
                yield from names_in(fields.values())


def names_in(values: Iterable[Any]) -> Iterator[str]:
    """The names in the list fields among `values`."""
    for value in values:
        for wish in value if isinstance(value, list) else ():
            if isinstance(wish, str) and wish:
                yield wish
