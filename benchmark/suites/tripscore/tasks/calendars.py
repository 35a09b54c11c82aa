"""When an attraction is open (`openTimeCalendar`)."""

from __future__ import annotations

from datetime import date
from functools import cached_property
from typing import Annotated, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from benchmark.plans.hours import DAY, Window
from benchmark.suites.tripscore.tasks.numbers import Whole
from benchmark.text import guarded

_CLOCK = guarded.compile(r"([0-9]{1,2}):([0-9]{2})")
_DAY = guarded.compile(r"([0-9]{1,2})-([0-9]{1,2})")
_LEAP_YEAR: Final = 2024
WHOLE_DAY: Final = (Window(0, DAY),)


def clock_minutes(text: str) -> int | None:
    """Minutes since midnight of h:mm, up to 24:00; None where it is none."""
    match = _CLOCK.fullmatch(text.strip())
    total = int(match[1]) * 60 + int(match[2]) if match and int(match[2]) < 60 else DAY + 1
    return total if total <= DAY else None


def _refuse_other_clock(text: str) -> str:
    if clock_minutes(text) is None:
        raise PydanticCustomError("clock", "not a time from 0:00 to 24:00; write it as h:mm")
    return text


def _refuse_other_day(text: str) -> str:
    match = _DAY.fullmatch(text.strip())
    try:
        if match:
            date(_LEAP_YEAR, int(match[1]), int(match[2]))
            return text
    except ValueError:
        pass
    raise PydanticCustomError("day", "not a day of a year; write it as MM-DD")


Clock = Annotated[str, AfterValidator(_refuse_other_clock)]
DayOfYear = Annotated[str, AfterValidator(_refuse_other_day)]


def _month_and_day(text: str) -> tuple[int, int]:
    month, _, day = text.strip().partition("-")
    return int(month), int(day)


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="allow")


class TimeWindow(_Part):
    """Hours of a day; what closes no later than it opens does so on the day after."""

    open: Clock
    close: Clock

    @cached_property
    def window(self) -> Window:
        """In minutes."""
        return Window.of_hours(clock_minutes(self.open) or 0, clock_minutes(self.close) or 0)


class DateRange(_Part):
    """Days of every year, both included; they may pass its end."""

    start: DayOfYear
    end: DayOfYear

    @cached_property
    def ends(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Month and day of both."""
        return _month_and_day(self.start), _month_and_day(self.end)

    def holds(self, day: date) -> bool:
        """Whether a day lies within."""
        first, last = self.ends
        own = (day.month, day.day)
        return first <= own <= last if first <= last else own >= first or own <= last


class Rule(_Part):
    """The hours of some days. weekdays: 1 is Monday; none for every day."""

    date_range: DateRange | None = None
    weekdays: tuple[Annotated[Whole, Field(ge=1, le=7)], ...] | None = None
    time_windows: tuple[TimeWindow, ...] | None = None

    def holds(self, day: date) -> bool:
        """Whether the rule is about a day."""
        in_range = self.date_range is None or self.date_range.holds(day)
        return in_range and (not self.weekdays or day.isoweekday() in self.weekdays)

    @cached_property
    def windows(self) -> tuple[Window, ...]:
        """None where it is closed."""
        return tuple(hours.window for hours in self.time_windows or ())


class Calendar(_Part):
    """Rules, of which the first that holds decides."""

    always_open: bool | None = None
    rules: tuple[Rule, ...] | None = None

    @model_validator(mode="after")
    def _refuse_contradiction(self) -> Calendar:
        if self.always_open and self.rules:
            raise PydanticCustomError(
                "calendar", "always_open and rules contradict each other; keep one of them"
            )
        return self

    def windows(self, day: date) -> tuple[Window, ...] | None:
        """When it is open on a day, none where it is closed; None where nothing is known."""
        if self.always_open:
            return WHOLE_DAY
        if not self.rules:
            return None
        return next((rule.windows for rule in self.rules if rule.holds(day)), ())
