"""A task in the published format (appendix A.3, table 6)."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

Text = Annotated[str, StringConstraints(min_length=1)]
Difficulty = Literal["easy", "medium", "hard"]
LIMITS: dict[str, tuple[int, int]] = {"easy": (15, 3), "medium": (20, 4), "hard": (25, 5)}
"""Round limit and convergence interval by difficulty (appendix A.6)."""

_DIGITS = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10}
_DAYS = re.compile(r"(\d+|[一二两三四五六七八九十])\s*(?:天|日|-?\s*days?)", re.IGNORECASE)


class _Published(BaseModel):
    """Published objects may hold keys that we do not use; they are kept in the raw text."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class ChildMember(_Published):
    """A young child, who comes along without a preference table."""

    user: Text
    role: str = ""


class Metadata(_Published):
    departure_city: Text
    cities: list[Text] = Field(min_length=1)
    date: Text
    group_id: str = ""
    group_name: str = ""
    group_tags: list[str] = []
    compromise_pattern: list[str] = []
    child_members: list[ChildMember] = []


class TravellerCard(_Published):
    """One traveller: role in the group, preference table as published, and whether they may yield."""

    role: str = ""
    preference: dict[str, Any]
    compromisable: bool = False

    @model_validator(mode="after")
    def _has_both_levels(self) -> TravellerCard:
        for level in ("global_constraints", "city_specific_preferences"):
            if not isinstance(self.preference.get(level, {}), dict):
                raise ValueError(f"preference.{level} has to be an object")
        if not any(level in self.preference for level in ("global_constraints", "city_specific_preferences")):
            raise ValueError("preference has neither global_constraints nor city_specific_preferences")
        return self


class OpeningMessage(_Published):
    role: Text
    content: str


class Task(_Published):
    """One group-planning task. The keys of `user_preferences` are the polling order and are never sorted."""

    task_id: Text
    query: Text
    time: Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}$")]
    context: str = ""
    metadata: Metadata
    user_preferences: dict[Text, TravellerCard] = Field(min_length=1)
    initial_messages: list[OpeningMessage] = []
    difficulty_score: float | int = 0.0
    difficulty_type: Difficulty
    language: Literal["zh", "en"] = "zh"

    @property
    def users(self) -> list[str]:
        """The users with a table, in polling order."""
        return list(self.user_preferences)

    @property
    def days(self) -> int | None:
        """Days of the trip, read from `metadata.date` (三天两夜, 3天), None where it does not say."""
        found = _DAYS.search(self.metadata.date)
        if found is None:
            return None
        return _DIGITS.get(found.group(1)) or int(found.group(1))

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
