"""Names of a plan made those of the tables, as the published pipeline does before it scores."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from rapidfuzz import fuzz, process

from benchmark.plans.view import Plan, Where
from benchmark.suites.traveleval.world import City, Tables
from benchmark.text import guarded

_LEAST_ALIKE = 60
_MOST_LOOKED_UP = 500
"""Names of a plan that are compared with all others; a plan has some thirty."""
_VERBS: Final = ("前往", "参观")
_CUT = guarded.compile(r"[/、]")
_BRANCH = guarded.compile(r"(.+?)[(（](.+)[)）]")


class NameChange(NamedTuple):
    """at: where the name stands in the plan."""

    at: Where
    before: str
    after: str


class Names:
    """The names that a city has."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = dict.fromkeys(names)
        self._branches: dict[str, list[str]] = {}
        for name in self._names:
            self._branches.setdefault(_brand(name), []).append(name)
        self._answers: dict[str, str] = {}

    def find(self, name: str) -> str:
        """The name that is meant: the same, of the same brand and most alike, or alike by 60 of 100; else `name`."""
        if name not in self._answers:
            self._answers[name] = self._look_up(name) if len(self._answers) < _MOST_LOOKED_UP else name
        return self._answers[name]

    def _look_up(self, name: str) -> str:
        meant = _bare(name)
        if name in self._names or meant in self._names or not meant:
            return name if name in self._names or not meant else meant
        branches = self._branches.get(_brand(meant))
        pool, least = (branches, 0) if branches else (list(self._names), _LEAST_ALIKE)
        found = process.extractOne(meant, pool, scorer=fuzz.ratio, score_cutoff=least)
        return found[0] if found else name


def _bare(name: str) -> str:
    """Without the verb before it and the alternatives behind it."""
    for verb in _VERBS:
        name = name.removeprefix(verb)
    return _CUT.split(name)[0].strip()


def _brand(name: str) -> str:
    match = _BRANCH.fullmatch(name)
    return match[1].strip() if match else name


def standardise(plan: Plan, tables: Tables, target_city: str) -> tuple[Plan, list[NameChange]]:
    """A plan whose names are those of the tables as far as any is meant, and what was changed."""
    summary = plan.get("summary")
    told = summary.get("destination") if isinstance(summary, dict) else None
    city = tables.city(told if isinstance(told, str) else target_city)
    mended: Plan = copy.deepcopy(plan)
    places, stations = Names(_places(city)), Names(_stations(tables))
    changes = []
    for owner, key, at in _name_holders(mended):
        names = stations if at[0] == "intercity_transport" else places
        before = owner.get(key)
        if isinstance(before, str) and (after := names.find(before)) != before:
            owner[key] = after
            changes.append(NameChange(at, before, after))
    return mended, changes


def _places(city: City) -> list[str]:
    return [*city.points, *(stop for line in city.metro for stop, _ in line.stops)]


def _stations(tables: Tables) -> list[str]:
    rides = [*tables.flights, *(ride for rides in tables.trains.values() for ride in rides)]
    return list(dict.fromkeys(station for ride in rides for station in (ride.origin, ride.destination)))


def _name_holders(plan: Plan) -> Iterator[tuple[dict[str, Any], str, Where]]:
    """The objects that bear a name, with its key and place."""
    if isinstance(hotel := plan.get("accommodation"), dict):
        yield hotel, "hotel_name", ("accommodation", "hotel_name")
    for leg, at in _objects(plan.get("intercity_transport"), "transport_type", ("intercity_transport",)):
        yield leg, "location_name", (*at, "location_name")
    for day, at in _objects(plan, "daily_plans", ()):
        for stop, where in _objects(day, "activities", at):
            yield stop, "location_name", (*where, "location_name")
        if isinstance(end := day.get("ending_point"), dict):
            yield end, "location_name", (*at, "ending_point", "location_name")


def _objects(owner: Any, key: str, at: Where) -> Iterator[tuple[dict[str, Any], Where]]:
    listed = owner.get(key) if isinstance(owner, dict) else None
    for nth, part in enumerate(listed if isinstance(listed, list) else []):
        if isinstance(part, dict):
            yield part, (*at, key, nth)
