"""Clock times and dates as plans write them."""

from __future__ import annotations

from datetime import date, datetime

from hypothesis import given
from hypothesis import strategies as st

from benchmark.plans.clock import calendar_day, hour_text, minutes


@given(st.from_regex(r"[0-9]{0,3}:?[0-9]{0,3}", fullmatch=True))
def test_clock_times_are_those_that_the_standard_library_reads(text: str) -> None:
    try:
        then = datetime.strptime(text, "%H:%M")
        expected = then.hour * 60 + then.minute
    except ValueError:
        expected = None
    assert minutes(text) == expected


@given(st.integers(0, 24 * 60 - 1))
def test_minutes_and_text_are_inverse(total: int) -> None:
    assert minutes(hour_text(total)) == total


@given(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.lists(st.text(), max_size=2)
)
def test_no_value_raises(value: object) -> None:
    assert minutes(value) is None or isinstance(value, str)
    assert calendar_day(value) is None or isinstance(value, str)


@given(st.dates())
def test_a_written_date_is_read(day: date) -> None:
    assert calendar_day(day.isoformat()) == day


def test_no_such_date_is_none() -> None:
    assert [calendar_day(text) for text in ("2026-02-30", "0000-01-01", "2026/02/03", "")] == [None] * 4
