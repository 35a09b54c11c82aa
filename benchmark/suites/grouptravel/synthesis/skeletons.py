"""Task skeletons: who travels where, from where, when, how long, and who may give way (section 3.2, stage 2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, NamedTuple

from benchmark.remarks import Remark, gettext_noop, join_remarks
from benchmark.suites.grouptravel.synthesis.archetypes import ARCHETYPES, Archetype, draw_pattern
from benchmark.suites.grouptravel.synthesis.candidates import Candidates
from benchmark.suites.grouptravel.synthesis.cities import DEPARTURES, Town, towns_of
from benchmark.suites.grouptravel.synthesis.clusters import CONDITIONS, Cluster, destinations
from benchmark.suites.grouptravel.synthesis.difficulty import level, score
from benchmark.suites.grouptravel.synthesis.draws import dice, pick
from benchmark.suites.grouptravel.synthesis.fares import Fares
from benchmark.suites.grouptravel.synthesis.quotas import Slot
from benchmark.suites.grouptravel.tasks.task import Difficulty, Task
from benchmark.synthesis import EARLIEST, LATEST
from sandbox.worlds import World

FIRST_DAY, LAST_DAY = date(2025, 9, 1), date(2026, 5, 1)
"""The published window of departure dates, both included."""


class Skeleton(NamedTuple):
    """What is settled before anybody has preferences. slot: the place in the set, from 1.

    cities: in the order of the trip. pattern: the users who may give way.
    """

    slot: int
    group_id: str
    cities: tuple[str, ...]
    departure: str
    start: date
    days: int
    pattern: tuple[str, ...]

    @property
    def archetype(self) -> Archetype:
        """The kind of group."""
        return ARCHETYPES[self.group_id]

    @property
    def score(self) -> float:
        """The difficulty score."""
        return score(self.archetype.size, self.days, len(self.cities))

    @property
    def level(self) -> Difficulty:
        """The difficulty type."""
        return level(self.score)

    @property
    def dates(self) -> tuple[date, ...]:
        """The days of the trip."""
        return tuple(self.start + timedelta(days=day) for day in range(self.days))


@dataclass(frozen=True)
class Window:
    """The days on which trips may start, both included.

    Raises ValueError where the last comes before the first, or they are beyond `EARLIEST` and `LATEST`.
    """

    first: date = FIRST_DAY
    last: date = LAST_DAY

    def __post_init__(self) -> None:
        if self.last < self.first:
            raise ValueError(f"the last day {self.last} comes before the first, {self.first}")
        for day in (self.first, self.last):
            if not EARLIEST <= day <= LATEST:
                raise ValueError(f"no trip can start on {day}; choose days from {EARLIEST} to {LATEST}")

    def draw(self, *key: object) -> date:
        """One of them, each equally likely."""
        return self.first + timedelta(days=dice(*key).randint(0, (self.last - self.first).days))


class Shortage(NamedTuple):
    """Tasks that the world can't have. what: the reason."""

    cities: int
    tasks: int
    what: Remark


@dataclass
class Atlas:
    """Where the tasks of a world may lead, and from where.

    towns: its destinations. lacking: cities that are none, with the reason. ways: by the number of cities, the
    clusters that somebody can reach, each with the cities of departure.
    """

    towns: Mapping[str, Town]
    lacking: Mapping[str, list[Remark]]
    ways: Mapping[int, Mapping[Cluster, tuple[str, ...]]] = field(default_factory=dict)

    def shortages(self, slots: Iterable[Slot]) -> list[Shortage]:
        """The slots that can't be filled."""
        wanted = Counter(slot.cities for slot in slots)
        return [
            Shortage(cities, tasks, self._why(cities, tasks))
            for cities, tasks in sorted(wanted.items())
            if not self.ways.get(cities)
        ]

    def _why(self, cities: int, tasks: int) -> Remark:
        if not self.towns:
            lacking = [
                Remark(gettext_noop("%(city)s has %(gaps)s"), {"city": city, "gaps": join_remarks(gaps)})
                for city, gaps in [*self.lacking.items()][:3]
            ]
            if not lacking:
                return Remark(gettext_noop("this world has no city to travel to"))
            why = gettext_noop("no city of this world can be a destination (%(lacking)s)")
            return Remark(why, {"lacking": join_remarks(lacking)})
        if cities == 1:
            why = gettext_noop(
                "%(tasks)s tasks over one city can't be made: no city of this world has trains or "
                "flights from a departure city and back"
            )
        else:
            why = gettext_noop(
                "%(tasks)s tasks over %(cities)s cities can't be made: this world has no %(cities)s "
                "cities that lie together (%(conditions)s) with trains or flights from a departure "
                "city and back"
            )
        return Remark(why, {"tasks": tasks, "cities": cities, "conditions": CONDITIONS})

    def remarks(self, slots: Sequence[Slot]) -> list[Remark]:
        """What a small world makes of the spread of destinations."""
        all_remarks = []
        for cities, tasks in sorted(Counter(slot.cities for slot in slots).items()):
            there, all_of_them = len(self.ways.get(cities, ())), {1: 143, 2: 98, 3: 77}[cities]
            if there and tasks >= there * 4 and there < all_of_them:
                single = gettext_noop(
                    "%(tasks)s tasks share %(there)s cities: their number is met, but this world "
                    "can't have the paper's spread of destinations"
                )
                several = gettext_noop(
                    "%(tasks)s tasks share %(there)s sets of %(cities)s cities: their number is met, "
                    "but this world can't have the paper's spread of destinations"
                )
                values = {"tasks": tasks, "there": there, "cities": cities}
                all_remarks.append(Remark(single if cities == 1 else several, values))
        return all_remarks


def atlas_of(world: World, fares: Fares, candidates: Mapping[str, Candidates]) -> Atlas:
    """What a world offers. candidates: of its destinations by name."""
    gaps = {city: candidates_of_city.gaps() for city, candidates_of_city in candidates.items()}
    towns = towns_of(city for city in world.cities() if city.name in gaps and not gaps[city.name])
    everywhere = [city.name for city in world.cities()]
    homes = [city for city in DEPARTURES if city in everywhere] or everywhere
    ways = {
        size: {
            cluster: starts
            for cluster in clusters
            if _connected(cluster, fares) and (starts := _starts(cluster, homes, fares))
        }
        for size, clusters in destinations(towns).items()
    }
    return Atlas(towns, {city: city_gaps for city, city_gaps in gaps.items() if city_gaps}, ways)


def _connected(cluster: Cluster, fares: Fares) -> bool:
    legs = zip(cluster.cities, cluster.cities[1:], strict=False)
    return all(fares.offers(one, other) for one, other in legs)


def _starts(cluster: Cluster, homes: Iterable[str], fares: Fares) -> tuple[str, ...]:
    """Cities that reach the first city and are reached from the last."""
    first, last = cluster.cities[0], cluster.cities[-1]
    return tuple(
        home
        for home in homes
        if home not in cluster.cities and fares.serves(home, first) and fares.serves(last, home)
    )


def draw_skeleton(slot: Slot, atlas: Atlas, window: Window, *key: object) -> Skeleton:
    """A skeleton for a slot. key: what the draw depends on beside the slot, such as seed and number of the attempt.

    Raises:
        ValueError: the world has no such destinations (see `Atlas.shortages`).
    """
    own = (*key, slot.number)
    ways = atlas.ways[slot.cities]
    cluster = pick(dice(*own, "cities"), {cluster: cluster.weight for cluster in ways})
    return Skeleton(
        slot.number,
        slot.group_id,
        cluster.cities,
        dice(*own, "departure").choice(ways[cluster]),
        window.draw(*own, "date"),
        slot.days,
        draw_pattern(ARCHETYPES[slot.group_id], *own, "pattern"),
    )


def skeleton_of(task: Task, slot: int) -> Skeleton:
    """The skeleton of a task that was made before.

    Raises:
        ValueError: the task is of an archetype that there is not, or does not say how long the trip is.
    """
    metadata = task.metadata
    if metadata.group_id not in ARCHETYPES:
        known = f"{next(iter(ARCHETYPES))} to {next(reversed(ARCHETYPES))}"
        raise ValueError(f"metadata.group_id: {metadata.group_id!r} is no archetype; there are {known}")
    if task.days is None:
        raise ValueError(f"metadata.date: {metadata.date!r} does not say how many days the trip takes")
    return Skeleton(
        slot,
        metadata.group_id,
        tuple(metadata.cities),
        metadata.departure_city,
        date.fromisoformat(task.time),
        task.days,
        tuple(metadata.compromise_pattern),
    )


def as_json(skeleton: Skeleton) -> dict[str, Any]:
    """As JSON, for reports."""
    return {**skeleton._asdict(), "start": skeleton.start.isoformat(), "difficulty": skeleton.level}
