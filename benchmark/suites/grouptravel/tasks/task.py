"""A task in the published format (appendix A.3, table 6)."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from benchmark.text import guarded
from benchmark.text.numerals.chinese import read_number

Text = Annotated[str, StringConstraints(min_length=1)]
Difficulty = Literal["easy", "medium", "hard"]
LIMITS: dict[str, tuple[int, int]] = {"easy": (15, 3), "medium": (20, 4), "hard": (25, 5)}
"""Round limit and convergence interval by difficulty (appendix A.6)."""

YEARS = range(1000, 9000)
"""Of a departure: the days before and after it are days of the calendar too."""
MOST_ENTRIES = 1_000
"""Entries of a list in a task: each bad one is told, so their number is bounded."""
_Entry = TypeVar("_Entry")
Few = Annotated[list[_Entry], Field(max_length=MOST_ENTRIES)]

_NUMBER = r"\d{1,3}|[一二两三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九]"
_DAYS = guarded.compile(rf"(?<![\d月])({_NUMBER})\s*(?:天|日|-?\s*days?)", guarded.IGNORECASE)


def _calendar_day(text: str) -> str:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise PydanticCustomError("calendar_day", "not a day of the calendar (YYYY-MM-DD)") from None
    if day.year not in YEARS:
        raise PydanticCustomError("calendar_day", f"not within the years {YEARS[0]} to {YEARS[-1]}")
    return text


def days_of(text: str) -> int | None:
    """Days of a duration (三天两夜, 3 days and 2 nights), None where it does not say."""
    match = _DAYS.search(text)
    return None if match is None else int(read_number(match.group(1)) or 0)


class _PublishedModel(BaseModel):
    """Published objects may hold keys that we do not use; they are kept in the raw text."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class ChildMember(_PublishedModel):
    """A young child, who comes along without a preference table."""

    user: Text
    role: str = ""


class Metadata(_PublishedModel):
    departure_city: Text
    cities: list[Text] = Field(min_length=1, max_length=MOST_ENTRIES)
    date: Text
    group_id: str = ""
    group_name: Annotated[str, StringConstraints(max_length=100)] = ""
    group_tags: Few[str] = []
    compromise_pattern: Few[str] = []
    child_members: Few[ChildMember] = []


class _Levels(_PublishedModel):
    """The two levels of a preference table; what they hold is free, for the published files have quirks."""

    global_constraints: dict[str, Any] = {}
    city_specific_preferences: dict[str, Any] = {}


def _has_levels(table: dict[str, Any]) -> dict[str, Any]:
    if not _Levels.model_validate(table).model_fields_set:
        raise PydanticCustomError(
            "no_levels", "expected global_constraints, city_specific_preferences or both"
        )
    return table


class TravellerCard(_PublishedModel):
    """One traveller: role in the group, preference table as published, and whether they may yield."""

    role: str = ""
    preference: Annotated[dict[str, Any], AfterValidator(_has_levels)]
    compromisable: bool = False


class OpeningMessage(_PublishedModel):
    role: Text
    content: str


class Task(_PublishedModel):
    """One group-planning task. The keys of `user_preferences` are the polling order and are never sorted."""

    task_id: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    query: Text
    time: Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}$"), AfterValidator(_calendar_day)]
    context: str = ""
    metadata: Metadata
    user_preferences: dict[Text, TravellerCard] = Field(min_length=1)
    initial_messages: Few[OpeningMessage] = []
    difficulty_score: float = Field(default=0.0, allow_inf_nan=False)
    difficulty_type: Difficulty
    language: Literal["zh", "en"] = "zh"

    @property
    def users(self) -> list[str]:
        """The users with a table, in polling order."""
        return list(self.user_preferences)

    @property
    def days(self) -> int | None:
        """Days of the trip, read from `metadata.date` (三天两夜, 3天), None where it does not say."""
        return days_of(self.metadata.date)

    @property
    def limits(self) -> tuple[int, int]:
        """(round limit, convergence interval)."""
        return LIMITS[self.difficulty_type]

    def cards(self) -> dict[str, dict[str, Any]]:
        """The published `user_preferences` object, in its order."""
        return {
            user: {"role": card.role, "preference": card.preference, "compromisable": card.compromisable}
            for user, card in self.user_preferences.items()
        }
