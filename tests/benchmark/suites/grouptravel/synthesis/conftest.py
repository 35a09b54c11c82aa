"""Resources over the starter world, opened once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from benchmark.suites.grouptravel.synthesis.resources import Resources, Trip
from benchmark.suites.grouptravel.synthesis.sampler import draw_tables
from benchmark.suites.grouptravel.synthesis.skeletons import Skeleton
from sandbox.worlds import open_world


@pytest.fixture(scope="session")
def resources(starter_pack: Path) -> Resources:
    return Resources(open_world(starter_pack))


MakeTrip = Callable[..., Trip]


@pytest.fixture(scope="session")
def make_trip(resources: Resources) -> MakeTrip:
    """A trip, by default of two couples from Wuhan to Hangzhou and Suzhou."""

    def make(
        group_id: str = "4-1",
        cities: tuple[str, ...] = ("杭州市", "苏州市"),
        departure: str = "武汉市",
        start: date = date(2026, 3, 27),
        days: int = 4,
        slot: int = 1,
        pattern: tuple[str, ...] = ("User1", "User2"),
    ) -> Trip:
        return resources.trip(Skeleton(slot, group_id, cities, departure, start, days, pattern), 1, 0)

    return make


@pytest.fixture(scope="session")
def trip(make_trip: MakeTrip) -> Trip:
    return make_trip()


@pytest.fixture
def tables(trip: Trip) -> dict[str, Any]:
    """Of that trip, by the sampler."""
    return draw_tables(trip, 1, 0)
