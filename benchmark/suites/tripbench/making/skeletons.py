"""Where trips go: an origin, one or two destinations, and how many nights each may have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from hashlib import sha256
from itertools import pairwise, permutations, product
from random import Random
from typing import Final, Literal, NamedTuple

from benchmark.plans.ways import great_circle_km
from benchmark.suites.tripbench.frame import Frame
from sandbox.toolsets.tripbench.records import TripWorld

COLLINEAR: Final = 0.9
"""Three cities are nearly in line whose longest side is at least so large a share of the other two together."""
_NEAR_KM: Final = 500.0
_NIGHTS: Final = ((400.0, range(1, 3)), (900.0, range(2, 5)), (float("inf"), range(2, 10)))
"""Below how many kilometres from the city before a destination has how many nights."""
_TEST_TENTHS: Final = 3
"""Of all skeletons, those of the test split."""
MOST_PEOPLE: Final = 6
Split = Literal["train", "test"]


class Skeleton(NamedTuple):
    """nights: of each destination, how many it may have."""

    origin: str
    destinations: tuple[str, ...]
    nights: tuple[range, ...]

    @property
    def split(self) -> Split:
        """Always the same, whatever the world and the seed."""
        words = "|".join((self.origin, *self.destinations))
        return "test" if sha256(words.encode()).digest()[0] % 10 < _TEST_TENTHS else "train"


def list_skeletons(world: TripWorld, cities: int) -> list[Skeleton]:
    """All with so many cities (two or three) that the world serves and that travellers would choose."""
    return [
        Skeleton(origin, destinations, tuple(_nights(world, (origin, *destinations))))
        for origin, *others in permutations(sorted(world.cities), cities)
        if _is_likely(world, (origin, *others)) and _is_served(world, origin, destinations := (*others,))
    ]


def _km(world: TripWorld, start: str, end: str) -> float:
    return great_circle_km(world.cities[start].point, world.cities[end].point)


def _is_likely(world: TripWorld, cities: Sequence[str]) -> bool:
    """Whether two of three cities are near each other, or all nearly in line."""
    if len(cities) < 3:
        return True
    first, second, third = cities
    sides = sorted(_km(world, *pair) for pair in ((first, second), (second, third), (first, third)))
    return sides[0] <= _NEAR_KM or sides[2] >= COLLINEAR * (sides[0] + sides[1])


def _is_served(world: TripWorld, origin: str, destinations: tuple[str, ...]) -> bool:
    stops = (origin, *destinations, origin)
    legs = [*pairwise(stops)]
    return all(
        any(service.products for service in world.services_between(start, end)) for start, end in legs
    ) and all(
        world.attractions_in(city) and world.hotels_in(city) and world.restaurants_in(city)
        for city in destinations
    )


def _nights(world: TripWorld, cities: Sequence[str]) -> Iterator[range]:
    for start, end in pairwise(cities):
        km = _km(world, start, end)
        yield next(nights for limit, nights in _NIGHTS if km < limit)


def draw_frame(
    random: Random, skeleton: Skeleton, days: range, first: date, last: date, people: int = 0
) -> Frame | None:
    """A trip of so many days that leaves between two dates; None where no nights add up to it. people: 0 for any."""
    stays = [nights for nights in product(*skeleton.nights) if sum(nights) + 1 in days]
    if not stays:
        return None
    total = random.choice(sorted({sum(nights) for nights in stays}))
    nights = random.choice([each for each in stays if sum(each) == total])
    start = first + timedelta(random.randint(0, (last - first).days))
    return Frame(
        origin=skeleton.origin,
        stays=tuple(zip(skeleton.destinations, nights, strict=True)),
        start_date=start,
        end_date=start + timedelta(total),
        people=people or random.randint(1, MOST_PEOPLE),
    )
