"""Distances between places."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import permutations
from math import cos, dist, radians, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.plans.ways import MOST_STOPS, great_circle_km, length_km, shortest_km, shortest_order

POINTS = st.tuples(st.floats(-180, 180), st.floats(-90, 90))


@given(POINTS, POINTS)
def test_a_way_is_as_long_in_both_directions_and_at_most_half_round_the_globe(
    a: tuple[float, float], b: tuple[float, float]
) -> None:
    assert great_circle_km(a, b) == pytest.approx(great_circle_km(b, a), abs=1e-6)
    assert 0 <= great_circle_km(a, b) <= 20_016


def test_from_beijing_to_shanghai() -> None:
    assert great_circle_km((116.4, 39.9), (121.47, 31.23)) == pytest.approx(1067.1, abs=0.5)


STOPS = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=7)


def street_km(a: tuple[int, int], b: tuple[int, int]) -> float:
    """East costs twice what west does, so that there and back differ."""
    return abs(a[1] - b[1]) + (2 * (b[0] - a[0]) if b[0] > a[0] else a[0] - b[0])


def every_order(stops: list[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """The ends stay."""
    return ([*stops[:1], *inner, *stops[1:][-1:]] for inner in permutations(stops[1:-1]))


@given(STOPS)
def test_no_order_is_shorter(stops: list[tuple[int, int]]) -> None:
    for km in (street_km, dist):
        assert shortest_km(stops, km) == pytest.approx(min(length_km(o, km) for o in every_order(stops)))


@given(STOPS)
def test_the_order_has_all_stops_between_the_same_ends(stops: list[tuple[int, int]]) -> None:
    order = shortest_order(stops, street_km)
    assert order is not None and sorted(order) == list(range(len(stops)))
    assert not stops or (order[0], order[-1]) == (0, len(stops) - 1)
    assert length_km([stops[each] for each in order], street_km) == shortest_km(stops, street_km)


@given(st.permutations(range(1, 10)))
def test_stops_along_a_line_are_visited_one_after_the_other(inner: list[int]) -> None:
    stops = [(0, 0), *((each, 0) for each in inner), (10, 0)]
    assert shortest_order(stops, dist) == tuple(sorted(range(11), key=stops.__getitem__))


def test_as_many_stops_as_are_ordered() -> None:
    """On a circle the shortest way goes round; one stop more is too many."""
    circle = [(cos(radians(9 * each)), sin(radians(9 * each))) for each in range(MOST_STOPS)]
    mixed = [circle[0], *random.Random(1).sample(circle[1:-1], MOST_STOPS - 2), circle[-1]]
    assert shortest_km(mixed, dist) == pytest.approx(length_km(circle, dist), rel=1e-12)
    assert shortest_km([*mixed, circle[0]], dist) is None
    assert shortest_order([*mixed, circle[0]], dist) is None
