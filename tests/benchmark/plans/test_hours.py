"""When places are open, and whether visits lie within that."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.plans.hours import DAY, Window, read_window

TIMES = st.integers(0, DAY - 1)
WINDOWS = st.builds(Window.of_hours, TIMES, st.integers(0, DAY))
SLACK = st.integers(0, 90)


def open_minutes(window: Window, slack: int = 0) -> set[int]:
    """Minute by minute; the last one ends as the window does."""
    return set(range(window.start - slack, window.end + slack))


@pytest.mark.parametrize(
    ("opens", "closes", "window"),
    [
        ("09:00", "17:00", (540, 1020)),
        ("18:00", "02:00", (1080, 1560)),
        ("00:00", "24:00", (0, 1440)),
        ("08:00", "08:00", (480, 1920)),
        ("22:00", "00:00", (1320, 1440)),
        ("9:5", "10:00", (545, 600)),
        ("24:00", "02:00", None),
        ("09:00", "25:00", None),
        ("09:00", None, None),
        (9, 17, None),
    ],
)
def test_hours_as_written(opens: object, closes: object, window: tuple[int, int] | None) -> None:
    assert read_window(opens, closes) == window


@given(TIMES, st.integers(0, DAY))
def test_a_window_is_longer_than_nothing_and_at_most_a_day(opens: int, closes: int) -> None:
    window = Window.of_hours(opens, closes)
    assert 0 < window.end - window.start <= DAY
    assert window.is_whole_day == (opens == closes or (opens, closes) == (0, DAY))
    assert (window.end - closes) % DAY == 0


@given(WINDOWS, TIMES, st.integers(1, DAY))
def test_the_overlap_counts_the_minutes_that_both_have(window: Window, start: int, length: int) -> None:
    visit = set(range(start, start + length))
    for hours in (window, window.evening_before):
        assert max(0, hours.overlap(start, start + length)) == len(visit & open_minutes(hours))


def test_an_overlap_tells_touching_from_lying_apart() -> None:
    window = Window.of_hours(540, 600)
    assert [window.overlap(480, end) for end in (540, 539, 541)] == [0, -1, 1]


@given(WINDOWS, TIMES, st.integers(1, DAY), SLACK)
def test_what_holds_a_visit_has_each_of_its_minutes(
    window: Window, start: int, length: int, slack: int
) -> None:
    for hours in (window, window.evening_before):
        inside = set(range(start, start + length)) <= open_minutes(hours, slack)
        assert hours.holds(start, start + length, slack) == inside


def test_a_night_goes_on_until_the_morning() -> None:
    window = read_window("18:00", "02:00")
    assert window is not None
    assert not window.holds(30, 90) and window.evening_before.holds(30, 90)
    assert window.holds(1380, 1500) and window.evening_before.holds(30, 150, slack=30)
    assert not window.evening_before.holds(30, 151, slack=30)
