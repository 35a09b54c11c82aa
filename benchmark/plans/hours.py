"""When a place is open, past midnight too."""

from __future__ import annotations

from typing import NamedTuple, Self

from benchmark.plans.clock import minutes

DAY = 24 * 60
_LAST_CLOSING = "24:00"


class Window(NamedTuple):
    """From one time to a later one, in minutes since midnight of a day: below 0 is on the day before, past 1,440 on
    the day after.
    """

    start: int
    end: int

    @classmethod
    def of_hours(cls, opens: int, closes: int) -> Self:
        """What closes no later than it opens does so on the day after: 18:00 to 02:00 is 1080 to 1560."""
        return cls(opens, closes if closes > opens else closes + DAY)

    @property
    def is_whole_day(self) -> bool:
        """Whether hours that are the same every day are without an end."""
        return self.end - self.start >= DAY

    @property
    def evening_before(self) -> Self:
        """The same hours of the day before, of which a night's last ones are on this day."""
        return self._replace(start=self.start - DAY, end=self.end - DAY)

    def overlap(self, start: float, end: float) -> float:
        """Minutes of a visit that lie within; 0 where the two only touch, below 0 by the minutes between them."""
        return min(self.end, end) - max(self.start, start)

    def holds(self, start: float, end: float, slack: float = 0) -> bool:
        """Whether a visit lies within, ends included. slack: minutes by which both ends are moved outwards."""
        return self.start - slack <= start and end <= self.end + slack


def read_window(opens: object, closes: object) -> Window | None:
    """The window between two times as written, such as "18:00" and "02:00"; None where one can't be read.

    Only the closing may be 24:00.
    """
    first, last = minutes(opens), DAY if closes == _LAST_CLOSING else minutes(closes)
    return None if first is None or last is None else Window.of_hours(first, last)


def read_window_text(text: str) -> Window | None:
    """The window of a text such as 06:00-23:00; None where it is no such text."""
    first, _, last = text.replace(" ", "").partition("-")
    return read_window(first, last)
