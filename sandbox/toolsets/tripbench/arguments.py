"""Kinds of argument that several tools share. Numbers, and what is true or false, may come as text."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BeforeValidator, Field, model_validator

from sandbox.tools.language import Says
from sandbox.tools.tool import Arguments
from sandbox.toolsets.grouptravel.arguments import Date

MOST_ON_PAGE = 50
_LEAST_FIRST = frozenset({"distance", "price", "time"})
_FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def _read(text: Callable[[str], Any]) -> BeforeValidator:
    """Of a text: what it stands for; itself where it stands for nothing of the kind."""

    def read(value: object) -> object:
        if not isinstance(value, str):
            return value
        try:
            return text(value.strip())
        except (ValueError, KeyError, RecursionError):
            return value

    return BeforeValidator(read)


def _whole(text: str) -> object:
    try:
        return int(text)
    except ValueError:
        number = float(text)
        return int(number) if number.is_integer() else text


def _flag(text: str) -> bool:
    return _FLAGS[text.lower()]


def split_names(text: str | None) -> list[str]:
    """Names with commas between them."""
    return [name.strip() for name in (text or "").replace("，", ",").split(",") if name.strip()]


def _names(text: str) -> object:
    """A list in JSON, else names with commas between them."""
    return json.loads(text) if text.startswith("[") else split_names(text)


NUMBER, WHOLE, FLAG = _read(float), _read(_whole), _read(_flag)
Latitude = Annotated[float, Field(ge=-90, le=90), NUMBER]
Longitude = Annotated[float, Field(ge=-180, le=180), NUMBER]
OptionalNumber = Annotated[float | None, NUMBER]
Count = Annotated[int, Field(ge=1), WHOLE]
Flag = Annotated[bool | None, FLAG]
Names = Annotated[list[str] | None, _read(_names)]
Minimum = Annotated[float | None, NUMBER, Says("不低于", "At least")]
"""It is included."""

Period = Literal["early morning", "morning", "afternoon", "evening"]
TripDate = Annotated[
    Date, Field(validation_alias=AliasChoices("date_str", "date")), Says("日期 YYYY-MM-DD", "Day, YYYY-MM-DD")
]
CheckIn = Annotated[Date, Says("入住日期 YYYY-MM-DD", "Day of check-in, YYYY-MM-DD")]
CheckOut = Annotated[Date, Says("离店日期 YYYY-MM-DD", "Day of check-out, YYYY-MM-DD")]
CancelHours = Annotated[
    float | None,
    NUMBER,
    Says(
        "入住前至多多少小时仍可免费取消",
        "The room can be cancelled freely until at most so many hours before check-in",
    ),
]


class TripArguments(Arguments):
    """Arguments of a call, of which one that is blank counts as absent."""

    @model_validator(mode="before")
    @classmethod
    def _drop_blank(cls, given: object) -> object:
        if not isinstance(given, dict):
            return given
        return {name: value for name, value in given.items() if not _is_blank(value)}


def _is_blank(value: object) -> bool:
    return isinstance(value, str) and not value.strip()


class PageArguments(TripArguments):
    """Which of the hits are shown."""

    page: Annotated[Count, Says("第几页", "Page, from 1")] = 1
    page_size: Annotated[
        int, Field(ge=1, le=MOST_ON_PAGE), WHOLE, Says("每页几条，最多 50", "Hits on a page, 50 at most")
    ] = 10


class OrderArguments(PageArguments):
    """The order of the hits too."""

    sort_order: Annotated[
        Literal["asc", "desc"] | None, Says("升序 asc 或降序 desc", "asc or desc; the usual one by sort_key")
    ] = None

    def goes_up(self, sort_key: str) -> bool:
        """Whether hits are sorted from the least on: distances, prices and times are where the call says nothing."""
        return sort_key in _LEAST_FIRST if self.sort_order is None else self.sort_order == "asc"


class NearArguments(TripArguments):
    """Places of a city, around a point or its centre."""

    city: Annotated[str, Says("城市", "City")]
    longitude: Annotated[
        Longitude | None, Says("中心点经度，缺省为市中心", "Of the point; the city centre")
    ] = None
    latitude: Annotated[
        Latitude | None, Says("中心点纬度，缺省为市中心", "Of the point; the city centre")
    ] = None
    distance_threshold: Annotated[
        OptionalNumber, Says("离中心点至多多少公里", "Kilometres from the point at most")
    ] = None


class NearPageArguments(OrderArguments, NearArguments):
    """Filters come first, then pages."""
