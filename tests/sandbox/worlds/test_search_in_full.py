"""The index finds what reading every place finds, in the documented order."""

from __future__ import annotations

import random
from collections.abc import Iterator
from math import inf

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox.worlds import PackBuilder, World, open_world
from sandbox.worlds.geo import Point, distance_m
from sandbox.worlds.keywords import Keywords, Reading, read_keywords
from sandbox.worlds.records import City, Place, PlaceKind
from sandbox.worlds.search import Sort
from sandbox.worlds.text import normalise
from tests.properties import examples

CITY = City(name="杭州市", aliases=("杭州",), longitude=120, latitude=30)
LETTERS = "金玉龙火锅馆园"
"""Few, so that names repeat, contain one another, and have the same letter twice."""
DISTRICTS = ("上城区", "下城区", "金玉区")
SOUTH: Point = (120, 29.9)
"""All places lie due north of here, on ten spots 1.1 km apart."""
SPOTS_M = [distance_m(SOUTH, (120, 30 + spot / 100)) for spot in range(10)]


def text(chance: random.Random, longest: int) -> str:
    return "".join(chance.choices(LETTERS, k=chance.randint(1, longest)))


def place(chance: random.Random, number: int) -> Place:
    kinds: tuple[PlaceKind, ...] = ("attraction", "restaurant", "hotel", "landmark")
    return Place(
        id=f"p{number}",
        city=CITY.name,
        kind=chance.choice(kinds),
        name=text(chance, 5),
        category=text(chance, 3),
        categories=tuple(text(chance, 3) for _ in range(chance.randrange(3))),
        dishes=tuple(text(chance, 4) for _ in range(chance.randrange(3))),
        address=chance.choice(DISTRICTS) + text(chance, 4),
        longitude=120,
        latitude=30 + chance.randrange(10) / 100,
        price=chance.choice((None, 0, 20, 20.5, 300)),
        rating=chance.choice((None, 3.5, 4, 4.9)),
        popularity=chance.randrange(20),
    )


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """300 places of one city."""
    path = tmp_path_factory.mktemp("worlds") / "letters.pack"
    chance = random.Random(11)
    with PackBuilder(path, "letters", "the test suite") as builder:
        builder.add(CITY)
        builder.add_all(place(chance, number) for number in range(300))
        builder.finish({})
    opened = open_world(path)
    yield opened
    opened.close()


def tier(place: Place, reading: Reading) -> int | None:
    """How well one reading of a word fits a place, 0 best; None where it does not."""
    name, word = normalise(place.name), reading.text
    owner = place.kind in ("attraction", "landmark")
    of_category = any(word in normalise(each) for each in (place.category, *place.categories))
    fits = (
        name == word,
        owner and name.startswith(word),
        word in name and of_category,
        owner and word in name,
        name.startswith(word),
        word in name,
        of_category,
        any(word in normalise(dish) for dish in place.dishes),
        word in normalise(place.address),
    )
    return fits.index(True) if any(fits) and reading.kind in (None, place.kind) else None


def relevance(place: Place, asked: Keywords) -> int | None:
    """The sum over all words, each by its first reading that fits; None where a word does not."""
    if asked.kinds and place.kind not in asked.kinds:
        return None
    if len(asked.words) > 1 and normalise(place.name) == asked.whole:
        return 0
    tiers = [
        next((fit for reading in word if (fit := tier(place, reading)) is not None), None)
        for word in asked.words
    ]
    known = [fit for fit in tiers if fit is not None]
    return sum(known) if len(known) == len(tiers) else None


def sort_key(place: Place, sort: Sort) -> float:
    north = distance_m(SOUTH, (place.longitude, place.latitude))
    rating = inf if place.rating is None else -place.rating
    low, high = (inf, inf) if place.price is None else (place.price, -place.price)
    return {"relevance": 0, "distance": north, "rating": rating, "price_low": low, "price_high": high}[sort]


WORDS = (
    st.sampled_from(LETTERS)
    | st.text(LETTERS, min_size=2, max_size=4)
    | st.sampled_from(["景点", "美食", "上城区", "杭州金"])
)
SORTS = st.sampled_from(["relevance", "distance", "rating", "price_low", "price_high"])
PRICES = st.none() | st.sampled_from([0, 20, 20.2, 300])
PAGES = st.tuples(st.integers(1, 4), st.integers(1, 30))


@given(
    words=st.lists(WORDS, max_size=3), region=st.none() | st.sampled_from([*DISTRICTS, "金玉"]), sort=SORTS,
    spots=st.none() | st.integers(0, 9), low=PRICES, high=PRICES, pages=PAGES,
)  # fmt: skip
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(200))
def test_the_index_finds_what_reading_every_place_finds(
    world: World, words: list[str], region: str | None, sort: Sort, spots: int | None,
    low: float | None, high: float | None, pages: tuple[int, int],
) -> None:  # fmt: skip
    asked = read_keywords(" ".join(words), (CITY.name, *CITY.aliases))
    radius_m = inf if spots is None else SPOTS_M[spots] + 500

    def fits(place: Place) -> bool:
        price = -1 if place.price is None else place.price
        return (
            relevance(place, asked) is not None
            and (not region or region in place.address or region in place.name)
            and (low is None or price >= low)
            and (high is None or 0 <= price <= high)
            and distance_m(SOUTH, (place.longitude, place.latitude)) <= radius_m
        )

    order = "relevance" if spots is None and sort == "distance" else sort
    expected = [place for place in world.places(CITY.name) if fits(place)]
    expected.sort(key=lambda place: (sort_key(place, order), relevance(place, asked)))
    page, size = pages
    found = world.search(
        CITY.name, " ".join(words), region=region, near=None if spots is None else SOUTH,
        radius_km=radius_m / 1000, price_min=low, price_max=high, sort=sort, page=page, page_size=size,
    )  # fmt: skip
    assert found.total == len(expected)
    assert [hit.place.id for hit in found.hits] == [
        place.id for place in expected[(page - 1) * size : page * size]
    ]
