"""What times a block for the search, where nobody parts and where the group does, against what times any block."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from benchmark.suites.grouptravel.agent.planning.course import time_together
from benchmark.suites.grouptravel.agent.planning.geography import Atlas
from benchmark.suites.grouptravel.agent.planning.hours import Window
from benchmark.suites.grouptravel.agent.planning.knowledge import Place
from benchmark.suites.grouptravel.agent.planning.parting import time_apart
from benchmark.suites.grouptravel.agent.planning.schedule import Block, Item, Lane, timeline
from benchmark.suites.grouptravel.agent.planning.score import score_block
from benchmark.suites.grouptravel.agent.planning.spots import Spot

FULL = 0b111
START = 450


def _spot(
    atlas: Atlas, place: tuple[float, float], windows: tuple[Window, ...] | None, meal: bool, light: bool
) -> Spot:
    known = Place("1", "甲", "attraction", "川菜", "乙市", place, 4.0, None, None, "")
    return Spot(
        place=known,
        meal=meal,
        morning=meal and not light,
        node=atlas.add(f"{place}{len(atlas.names)}", place),
        stay=60,
        longest=120,
        windows=(windows,),
        points=(1, 0, -1),
        must=(0, 0, 0),
        reject=(0, 0, 0),
        cost=30.0,
        appeal=0.1,
        light=meal and light,
    )


def _parts(spots: list[Spot], holder: int) -> list[Spot]:
    """The same spots, the last of which is seen with another that is no meal."""
    last = len(spots) - 1
    if holder == last or spots[holder].meal or spots[last].meal:
        return spots
    spots[holder], spots[last] = replace(spots[holder], parts=(last,)), replace(spots[last], part=True)
    return spots


WINDOWS = st.none() | st.lists(
    st.tuples(st.integers(360, 900), st.integers(600, 1439)).filter(lambda span: span[0] < span[1]),
    max_size=2,
).map(lambda spans: tuple(sorted(spans)))
POINTS = st.tuples(st.floats(116.0, 116.2), st.floats(39.9, 40.0))
SpotFigures = tuple[tuple[float, float], tuple[Window, ...] | None, bool, bool]
SPOTS = st.lists(st.tuples(POINTS, WINDOWS, st.booleans(), st.booleans()), min_size=2, max_size=6)


@given(SPOTS, st.data())
def test_times_are_those_of_any_block(drawn: list[SpotFigures], data: st.DataObject) -> None:
    atlas = Atlas()
    spots = _parts([_spot(atlas, *one) for one in drawn], data.draw(st.integers(0, len(drawn) - 1)))
    block = Block(0, 0, 0, START, 0, data.draw(st.integers(600, 1400)), data.draw(st.booleans()))
    chosen = data.draw(st.permutations([i for i, spot in enumerate(spots) if not spot.part]))
    lanes: list[Lane] = [(FULL, index, spots[index].stay) for index in chosen[: data.draw(st.integers(0, 4))]]
    course = time_together(block, lanes, spots, atlas)
    timed = timeline(block, [(lane,) for lane in lanes], spots, atlas, FULL)
    assert (course is None) == (timed is None)
    if course is not None and timed is not None:
        assert [stop[2:] for stop in course.stops] == [(visit.start, visit.end) for visit in timed.visits]
        assert [stop[0] for stop in course.stops] == [spots[visit.spot] for visit in timed.visits]
        assert course.travelled == sum(ride.end - ride.start for ride in timed.rides)
        assert (course.idle, course.bored * 3) == (timed.idle, timed.bored)
        score = score_block(block, [(lane,) for lane in lanes], spots, atlas, 3)
        assert score is None or score.penalty == 0


PARTS = st.sampled_from([(FULL,), (FULL,), (0b001, 0b110), (0b011, 0b100), (0b001, 0b010, 0b100)])
"""Who goes to each spot of an item."""


@given(SPOTS, st.data())
def test_times_of_a_group_that_parts_are_those_of_any_block(
    drawn: list[SpotFigures], data: st.DataObject
) -> None:
    atlas = Atlas()
    spots = _parts([_spot(atlas, *one) for one in drawn], data.draw(st.integers(0, len(drawn) - 1)))
    block = Block(0, 0, 0, START, 0, data.draw(st.integers(600, 1400)), data.draw(st.booleans()))
    chosen = list(data.draw(st.permutations([i for i, spot in enumerate(spots) if not spot.part])))
    items: list[Item] = []
    while chosen:
        parts = data.draw(PARTS)
        indexes, chosen = chosen[: len(parts)], chosen[len(parts) :]
        if len(indexes) == len(parts):
            items.append(tuple((who, i, spots[i].stay) for who, i in zip(parts, indexes, strict=True)))
    course = time_apart(block, items, spots, atlas, FULL)
    timed = timeline(block, items, spots, atlas, FULL)
    assert (course is None) == (timed is None)
    if course is not None and timed is not None:
        assert course.visits == [(who, spots[index], begin, end) for who, index, begin, end in timed.visits]
        assert course.rides == [(who, begin, end) for who, _, _, begin, end in timed.rides]
        assert (course.idle, course.bored) == (timed.idle, timed.bored)
