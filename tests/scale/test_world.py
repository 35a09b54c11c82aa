"""The synthetic world: the same places on every machine, and their scoring catalogue."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from sandbox.worlds import open_world
from tests.scale.world import CITIES, build, catalogue, places

COUNT = 300


def test_it_is_the_same_on_every_machine() -> None:
    """A digest made once; figures of other days compare only while it holds."""
    digest = hashlib.sha256()
    for place in places(COUNT):
        digest.update(place.model_dump_json().encode())
    assert digest.hexdigest()[:16] == "81230a63fde91b5d"


def test_a_smaller_world_is_the_beginning_of_a_larger_one() -> None:
    """So that figures over two sizes speak of the same places."""
    assert list(places(20)) == list(places(COUNT))[:20]


def test_its_catalogue_is_the_one_that_the_built_world_gives(tmp_path: Path) -> None:
    """Landmarks are in neither."""
    build(tmp_path / "world.pack", COUNT)
    world = open_world(tmp_path / "world.pack")
    built = world.catalogue()
    size = sum(map(len, built.values()))
    assert 0.9 * COUNT < size < COUNT
    made = catalogue(size)
    world.close()
    assert set(made) == set(built) == {f"{name}市" for name in CITIES}
    for city, entries in made.items():
        assert sorted(entries, key=str) == sorted(built[city], key=str)


@pytest.mark.parametrize("count", [1, 100])
def test_a_catalogue_has_as_many_places_as_were_asked_for(count: int) -> None:
    """Landmarks are skipped, not counted."""
    assert sum(map(len, catalogue(count).values())) == count
