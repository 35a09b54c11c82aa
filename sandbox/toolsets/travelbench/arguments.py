"""Kinds of argument that several tools share."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, Field, PrivateAttr
from pydantic_core import PydanticCustomError

from sandbox.tools.language import Says
from sandbox.tools.tool import Arguments
from sandbox.toolsets.grouptravel.arguments import Date
from sandbox.worlds.geo import Point, parse_point

__all__ = [
    "Coordinates",
    "Date",
    "Limit",
    "Moment",
    "Price",
    "Rating",
    "TimedArguments",
    "coordinate_text",
    "point_of",
]


class TimedArguments(Arguments):
    """Arguments of a call in a task, which has a time that is now in it."""

    _now: str = PrivateAttr(default="")

    @property
    def now(self) -> datetime | None:
        """The task's time; None where it tells none that is a time."""
        try:
            return datetime.fromisoformat(self._now)
        except ValueError:
            return None

    def at(self, time: str) -> None:
        """Tell the task's time."""
        self._now = time


def point_of(text: object) -> Point | None:
    """The point (longitude, latitude) that "latitude,longitude" names; None for any other value."""
    parts = text.split(",") if isinstance(text, str) else []
    return parse_point(f"{parts[1]},{parts[0]}") if len(parts) == 2 else None


def coordinate_text(point: Point) -> str:
    """ "latitude,longitude" with up to six decimals."""
    longitude, latitude = (f"{degree:.6f}".rstrip("0").rstrip(".") for degree in point)
    return f"{latitude},{longitude}"


def _coordinates(text: str) -> str:
    if point_of(text) is None:
        raise PydanticCustomError("coordinates", "latitude,longitude")
    return text


def _moment(text: str) -> str:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        raise PydanticCustomError("moment", "an ISO 8601 time") from None
    return text


Coordinates = Annotated[
    str, AfterValidator(_coordinates), Field(json_schema_extra={"pattern": r"^-?\d+(\.\d+)?,-?\d+(\.\d+)?$"})
]
""" "latitude,longitude" in degrees."""

Moment = Annotated[str, AfterValidator(_moment), Field(json_schema_extra={"format": "date-time"})]
"""ISO 8601."""

Rating = Annotated[float | None, Field(ge=0, le=10), Says("最低评分，0 到 10", "Lowest rating, 0 to 10")]
Price = Annotated[float | None, Field(ge=0)]
Limit = Annotated[float, Field(ge=1), Says("最多返回多少个结果", "How many results at most")]
