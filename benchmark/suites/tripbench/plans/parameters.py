"""Every tolerance of the rules, with its default."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from benchmark.plans.hours import DAY, read_window
from sandbox.toolsets.tripbench.estimates import BASE_MINUTES, MINUTES_A_KM


def _clock_span(value: object) -> object:
    """Two times such as ["17:00", "24:00"] as minutes."""
    window = read_window(*value) if isinstance(value, list | tuple) and len(value) == 2 else None
    if window is None:
        raise PydanticCustomError("clock_span", 'these are no two times; write ["06:00", "11:00"]')
    return (window.start, window.end if window.end <= DAY else window.end - DAY)


def _refuse_turned(span: tuple[float, float]) -> tuple[float, float]:
    if span[0] > span[1]:
        raise PydanticCustomError("span", "the first figure is above the second; turn them")
    return span


Number = Annotated[float, Field(allow_inf_nan=False, ge=0)]
Span = Annotated[tuple[Number, Number], AfterValidator(_refuse_turned)]
ClockSpan = Annotated[Span, BeforeValidator(_clock_span)]


class Parameters(BaseModel):
    """Tolerances of the constraints (appendix B.4 and our decisions). Minutes, kilometres, times of day, counts."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    gap_max: Number = 120
    """The longest time between two activities of a full day."""
    day_start: ClockSpan = (360, 660)
    """When a full day begins at the earliest and at the latest."""
    day_end: ClockSpan = (1020, DAY)
    """When it ends."""
    attraction_min: Number = 30
    """A visit is longer."""
    stay_slack: Number = 90
    """By which a visit may miss the hours that an attraction recommends."""
    meal: Span = (45, 90)
    hours_slack: Number = 30
    """By which a visit may miss opening hours, and a meal the hours of its menu."""
    checkin: Span = (90, 150)
    """How long before a flight one checks in."""
    train_buffer: Span = (15, 30)
    """How long before a train one is there."""
    leg_time_tol: Number = 0
    """By which the times of a leg may miss those of its service."""
    transfer_tol: Number = 20
    """By less than which the time of a way differs from the estimate."""
    same_place_km: Number = 0.05
    """Up to which two places need no way."""
    meal_km: Number = 20
    """From a restaurant to what comes before and after."""
    route_ratio: Number = 1.5
    route_extra_km: Number = 10
    """A day is a zigzag that is longer than its shortest order by both."""
    est_base: Number = BASE_MINUTES
    est_per_km: Number = MINUTES_A_KM
    """The estimated minutes of a way: `est_base` and so many a kilometre."""
    around_share: Annotated[Number, Field(alias="around")] = 0.2
    """By which what is `around` a figure may miss it."""
    loose_sound: Number = 2
    loose_user: Number = 1
    """Violations that the loose verdict forgives."""
