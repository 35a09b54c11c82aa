"""K-Center-Greedy: the order proved by brute force, quotas, and what it refuses."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from benchmark.suites.travelbench.making.diversity import k_center_greedy, quotas_of

Ints = list[tuple[int, int, int]]
points = st.lists(st.tuples(*[st.integers(-6, 6)] * 3), min_size=1, max_size=12)
"""Whole numbers, so that distances are exact and ties are ties."""


def square(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def by_brute_force(rows: Ints, count: int, first: int, groups: list[str], quotas: Counter[str]) -> list[int]:
    """Whatever is farthest from its nearest chosen row, of equals the first, within the quotas."""
    chosen = [first]
    while len(chosen) < count:
        taken = Counter(groups[row] for row in chosen)
        open_ = [n for n in range(len(rows)) if n not in chosen and taken[groups[n]] < quotas[groups[n]]]
        nearest = {n: min(square(rows[n], rows[row]) for row in chosen) for n in open_}
        chosen.append(max(open_, key=lambda n: (nearest[n], -n)))
    return chosen


def vectors(rows: Ints) -> NDArray[np.float32]:
    return np.array(rows, dtype=np.float32)


@given(points, st.data())
def test_the_next_one_is_the_one_farthest_from_its_nearest_chosen(rows: Ints, data: st.DataObject) -> None:
    count = data.draw(st.integers(1, len(rows)))
    first = data.draw(st.integers(0, len(rows) - 1))
    found = k_center_greedy(vectors(rows), count, first=first)
    every = ["all"] * len(rows)
    assert found == by_brute_force(rows, count, first, every, Counter(all=count))


@given(points, st.data())
def test_the_same_within_quotas(rows: Ints, data: st.DataObject) -> None:
    groups = data.draw(st.lists(st.sampled_from("abc"), min_size=len(rows), max_size=len(rows)))
    count = data.draw(st.integers(1, len(rows)))
    quotas = quotas_of(groups, count, data.draw(st.sampled_from(["share", "even"])))
    assert quotas is not None
    first = next(n for n, name in enumerate(groups) if quotas[name])
    found = k_center_greedy(vectors(rows), count, groups=groups, quotas=quotas, first=first)
    assert found == by_brute_force(rows, count, first, groups, quotas)
    assert Counter(groups[row] for row in found) == quotas


def test_the_first_is_the_one_farthest_from_the_mean_of_all() -> None:
    assert k_center_greedy(vectors([(0, 0, 0), (1, 0, 0), (9, 0, 0), (2, 0, 0)]), 3) == [2, 0, 3]


def test_the_distance_to_the_nearest_chosen_never_grows() -> None:
    rows = np.random.default_rng(3).normal(size=(300, 16)).astype(np.float32)
    order = k_center_greedy(rows, 60)
    assert len(set(order)) == 60
    added = [
        min(np.linalg.norm(rows[one] - rows[other]) for other in order[:n])
        for n, one in enumerate(order)
        if n
    ]
    assert all(later <= earlier + 1e-6 for earlier, later in pairwise(added))


def test_a_duplicate_comes_last_and_once() -> None:
    assert k_center_greedy(vectors([(0, 0, 0), (5, 0, 0), (0, 0, 0), (1, 0, 0)]), 4, first=0) == [0, 1, 3, 2]


@pytest.mark.parametrize("count", [0, 4])
def test_more_than_there_are_can_not_be_chosen(count: int) -> None:
    with pytest.raises(ValueError, match=r"can't be chosen; ask for 1 to 3"):
        k_center_greedy(vectors([(0, 0, 0)] * 3), count)


def test_quotas_without_room_are_refused() -> None:
    with pytest.raises(ValueError, match="less room"):
        k_center_greedy(vectors([(0, 0, 0), (1, 0, 0)]), 2, groups=["a", "a"], quotas=Counter(a=1))
    with pytest.raises(ValueError, match="1 groups for 2 rows"):
        k_center_greedy(vectors([(0, 0, 0), (1, 0, 0)]), 2, groups=["a"], quotas=Counter(a=2))


@pytest.mark.parametrize(
    ("balance", "quotas"),
    [("share", {"a": 6, "b": 3, "c": 1}), ("even", {"a": 5, "b": 4, "c": 1}), ("none", None)],
)
def test_quotas_by_share_or_even(balance: str, quotas: dict[str, int] | None) -> None:
    groups = ["a"] * 12 + ["b"] * 6 + ["c"]
    assert quotas_of(groups, 10, balance) == quotas  # type: ignore[arg-type]


@given(st.lists(st.sampled_from("abcd"), min_size=1), st.data())
def test_quotas_are_as_many_as_wanted_and_never_more_than_there_are(
    groups: list[str], data: st.DataObject
) -> None:
    count = data.draw(st.integers(1, len(groups)))
    sizes = Counter(groups)
    for balance in ("share", "even"):
        quotas = quotas_of(groups, count, balance)  # type: ignore[arg-type]
        assert quotas is not None and quotas.total() == count
        assert all(quotas[name] <= sizes[name] for name in quotas)
