"""Names that tools have returned: what kind of place, in which city."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from benchmark.core.view import ToolEntry
from benchmark.suites.grouptravel.agent.lexicon import lexicon
from benchmark.suites.grouptravel.agent.results import told_in
from benchmark.suites.grouptravel.agent.understanding.cities import short_names
from benchmark.text import guarded
from sandbox.toolsets.grouptravel.poi import PartialPlaces, PartialSpot

_BRANCH = guarded.compile(r"[(（][^()（）]*[)）]")
_COMMON = 40
"""Two characters that more names hold than this (公园) tell none of them."""
_KINDS = frozenset({"attraction", "restaurant", "hotel", "landmark"})
"""What travellers wish for; cities and stations, which tools also name, are no places to visit."""


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """Compared by identity, so that readings that depend on it can be kept.

    cities: place name to the cities that have one. kinds: place name to kind. categories: kind to categories.
    grams: two characters to the names that hold them. by_text: what was near a text, once it was asked for.
    """

    cities: dict[str, tuple[str, ...]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    categories: dict[str, frozenset[str]] = field(default_factory=dict)
    grams: dict[str, list[str]] = field(default_factory=dict)
    by_text: dict[str, Names] = field(default_factory=dict)

    def containing(self, name: str) -> list[str]:
        """Known names that hold the given one, the closest in length first.

        A branch in brackets is no part of a name: a hotel (by the temple) is no temple.
        """
        if len(name) < 2:
            return []
        return sorted(
            (known for known in self.kinds if _is_part(name, known) or (known in name and len(known) > 2)),
            key=len,
        )

    def kind_of(self, name: str) -> str | None:
        """The kind of the place with this name, or of those whose names contain it."""
        exact = self.kinds.get(name)
        return exact or next(
            (self.kinds[known] for known in self.containing(name) if _is_part(name, known)), None
        )

    def cities_of(self, name: str) -> tuple[str, ...]:
        """The cities of the place with this name; failing that, of the places whose names contain it."""
        if name in self.cities:
            return self.cities[name]
        return tuple(
            dict.fromkeys(city for known in self.containing(name) for city in self.cities.get(known, ()))
        )

    def near(self, text: str) -> Names:
        """Only the names and categories that a text may mean; the same object as long as these stay the same.

        So a reading of the text can be kept although the tools go on naming other places.
        """
        if text not in self.by_text:
            self.by_text[text] = self._read_near(text)
        return self.by_text[text]

    def _read_near(self, text: str) -> Names:
        held = (self.grams.get(gram, ()) for gram in _two_characters(text))
        close = {name for names in held if len(names) <= _COMMON for name in names}
        entries = tuple((name, self.kinds[name], self.cities.get(name, ())) for name in sorted(close))
        said = ((kind, _said_in(text, kind, words)) for kind, words in sorted(self.categories.items()))
        return _near(entries, tuple((kind, words) for kind, words in said if words))


def _said_in(text: str, kind: str, categories: frozenset[str]) -> frozenset[str]:
    """The categories that a text may mean and that no reader knows without the tools.

    A word of another kind may be meant by its English name, which the text holds in its place.
    """
    own, known = _listed_words().get(kind, frozenset()), frozenset().union(*_listed_words().values())
    return frozenset(word for word in categories if word not in own and (word in known or word in text))


@lru_cache
def _listed_words() -> dict[str, frozenset[str]]:
    """The published categories of sights and of food, by the kind of place that has them."""
    words = lexicon("zh")
    return {"attraction": frozenset(words.categories), "restaurant": frozenset(words.cuisines)}


def _is_part(name: str, known: str) -> bool:
    return name in known and (name in _BRANCH.sub("", known) or _BRANCH.search(name) is not None)


@lru_cache(maxsize=4096)
def _near(
    entries: tuple[tuple[str, str, tuple[str, ...]], ...], categories: tuple[tuple[str, frozenset[str]], ...]
) -> Names:
    cities = {name: owners for name, _, owners in entries}
    return Names(cities, {name: kind for name, kind, _ in entries}, dict(categories))


NO_NAMES = Names()


def names_in(tool_log: Iterable[ToolEntry]) -> Names:
    """All places that searches and details have returned so far."""
    return _names(tuple((entry.name, entry.result) for entry in tool_log if entry.result and not entry.error))


@lru_cache(maxsize=256)
def _names(results: tuple[tuple[str, str], ...]) -> Names:
    cities: dict[str, list[str]] = {}
    kinds: dict[str, str] = {}
    categories: dict[str, set[str]] = {}
    for place in (place for result in results for place in _places(*result)):
        name, kind, city = place.name or "", place.kind or "", place.city or ""
        if not name or kind not in _KINDS:
            continue
        kinds.setdefault(name, kind)
        if city and city not in cities.setdefault(name, []):
            cities[name].append(city)
        categories.setdefault(kind, set()).add(place.category or "")
    return Names(
        {name: tuple(owners) for name, owners in cities.items()},
        kinds,
        {kind: frozenset(words - {""}) for kind, words in categories.items()},
        _grams(
            kinds, {short for owners in cities.values() for city in owners for short in short_names(city)}
        ),
    )


def _grams(names: Iterable[str], city_names: set[str]) -> dict[str, list[str]]:
    """A city's name, or the word for a kind of sight or of food, is no part of a name when it stands alone."""
    grams: dict[str, list[str]] = {}
    alone = city_names.union(*_listed_words().values())
    for name in names:
        for gram in _two_characters(name) - alone:
            grams.setdefault(gram, []).append(name)
    return grams


def _two_characters(text: str) -> set[str]:
    return {text[at : at + 2] for at in range(len(text) - 1)}


def _places(tool: str, result: str) -> tuple[PartialSpot, ...]:
    told = told_in(tool, result)
    if isinstance(told, PartialPlaces):
        return tuple(place for place in told.pois or () if place is not None)
    return (told,) if isinstance(told, PartialSpot) and "kind" in told.model_fields_set else ()
