"""Everything that tasks of one world are made of (section 3.2, stage 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from benchmark.suites.grouptravel.scoring.catalogue import Catalogue
from benchmark.suites.grouptravel.synthesis.archetypes import Archetype
from benchmark.suites.grouptravel.synthesis.candidates import Candidates
from benchmark.suites.grouptravel.synthesis.casting import Casting
from benchmark.suites.grouptravel.synthesis.fares import Fares, Route
from benchmark.suites.grouptravel.synthesis.profiles import Profile, pool
from benchmark.suites.grouptravel.synthesis.skeletons import Atlas, Skeleton, atlas_of
from sandbox.worlds import World


class Resources:
    """A world as tasks see it, and a pool of profiles. Belongs to the thread that opened the world."""

    def __init__(self, world: World, profiles: Sequence[Profile] | None = None) -> None:
        self.world = world
        self.fares = Fares(world)
        self.casting = Casting(pool() if profiles is None else profiles)
        self._candidates: dict[str, Candidates] = {}

    def candidates(self, city: str) -> Candidates:
        """The candidates of a city; of one that the world lacks, none."""
        if city not in self._candidates:
            self._candidates[city] = Candidates(self.world, city)
        return self._candidates[city]

    @cached_property
    def atlas(self) -> Atlas:
        """Where tasks may lead."""
        cities = [city.name for city in self.world.cities() if city.destination]
        return atlas_of(self.world, self.fares, {city: self.candidates(city) for city in cities})

    @cached_property
    def catalogue(self) -> Catalogue:
        """What plans are scored against."""
        return Catalogue(self.world.catalogue())

    def trip(self, skeleton: Skeleton, *key: object) -> Trip:
        """A skeleton with its cast and with what its cities offer. Raises NobodyFits."""
        return Trip(
            skeleton,
            self.fares.route(skeleton.departure, skeleton.cities),
            {city: self.candidates(city) for city in skeleton.cities},
            self.casting.cast(skeleton.archetype, *key, skeleton.slot),
        )


class Trip(NamedTuple):
    """What preference tables of one task are written from. cast: profiles by user, in generation order."""

    skeleton: Skeleton
    route: Route
    candidates: Mapping[str, Candidates]
    cast: Mapping[str, Profile]

    @property
    def archetype(self) -> Archetype:
        """The kind of group."""
        return self.skeleton.archetype

    @property
    def nights(self) -> tuple[int, ...]:
        """Nights in each city, the earlier ones first where they can't be equal."""
        cities = len(self.skeleton.cities)
        whole, rest = divmod(self.skeleton.days - 1, cities)
        return tuple(whole + (at < rest) for at in range(cities))

    def least_cost(self) -> float:
        """CNY a person below which no budget may be: the cheapest fares of all legs, food, the cheapest nights."""
        cities = zip(self.skeleton.cities, self.nights, strict=True)
        nights = sum(self.candidates[city].night * nights for city, nights in cities)
        return self.route.lowest() + FOOD_A_DAY * self.skeleton.days + nights


FOOD_A_DAY = 60.0
"""CNY a person for the plainest meals of a day."""
