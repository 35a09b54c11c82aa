"""A query in the published format (section 2.2 of the paper)."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import Annotated, Final, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from benchmark.plans.clock import calendar_day
from benchmark.text import guarded

Category = Literal["transportation", "accommodations", "diet", "attractions", "rhythm"]
CATEGORIES: Final[tuple[Category, ...]] = get_args(Category)
Level = Literal["easy", "medium", "hard"]
BudgetClass = Literal["economy", "medium", "high"]

_SPAN = " to "
_GROUP = guarded.compile(r"(.+)-[1-9]")
_LOWEST: Final[tuple[tuple[BudgetClass, int, int], ...]] = (("high", 1000, 2000), ("medium", 500, 1200))
"""CNY that a person needs at least a day, and for both ways."""


def _whole_span(text: str) -> str:
    first, _, last = text.partition(_SPAN)
    begins, ends = calendar_day(first), calendar_day(last)
    if begins is None or ends is None or ends < begins:
        raise PydanticCustomError("span", "not two days of the calendar (YYYY-MM-DD to YYYY-MM-DD), in order")
    return text


Count = Annotated[int, Field(ge=0, le=1000)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=100)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class Tags(_Part):
    """What travellers want (preferences) and reject (constraints) of a category; `{}` in the files is neither."""

    preferences: tuple[str, ...] = Field(default=(), strict=False)
    constraints: tuple[str, ...] = Field(default=(), strict=False)

    def __bool__(self) -> bool:
        return bool(self.preferences or self.constraints)


class People(_Part):
    """Who travels."""

    adults: Count = 0
    children: Count = 0
    seniors: Count = 0


class Query(_Part):
    """What somebody asks for.

    uid: T0001, or G01-2 for the second of a group. tag: the difficulty. budget: CNY for all. dates: first and last
    day. nature_language, nature_language_en: the same in words; one of them may be "".
    """

    uid: Name
    tag: Level
    start_city: Name
    target_city: Name
    days: Annotated[int, Field(ge=0, le=60)]
    people_number: Count
    people_composition: People = People()
    budget: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    dates: Annotated[str, AfterValidator(_whole_span)]
    transportation: Tags = Tags()
    accommodations: Tags = Tags()
    diet: Tags = Tags()
    attractions: Tags = Tags()
    rhythm: Tags = Tags()
    nature_language: str = ""
    nature_language_en: str = ""

    @property
    def task_id(self) -> str:
        """The uid."""
        return self.uid

    @property
    def users(self) -> tuple[str, ...]:
        """Nobody talks with the agent after the query."""
        return ()

    @property
    def language(self) -> Literal["zh", "en"]:
        """English where there are no Chinese words."""
        return "zh" if self.nature_language else "en"

    @property
    def words(self) -> str:
        """What the agent is asked."""
        return self.nature_language or self.nature_language_en

    @property
    def first_day(self) -> date:
        """When the journey begins."""
        return self._span[0]

    @property
    def last_day(self) -> date:
        """When the journey ends."""
        return self._span[1]

    @property
    def group(self) -> str:
        """G01, which queries of growing difficulty share; "" for a query of none."""
        match = _GROUP.fullmatch(self.uid)
        return match[1] if match else ""

    @property
    def budget_class(self) -> BudgetClass:
        """The highest whose lowest budget is within this one: (m·days + n)·people, appendix A.1."""
        each = self.budget / max(self.people_number, 1)
        reached = (name for name, daily, ways in _LOWEST if each >= daily * self.days + ways)
        return next(reached, "economy")

    @property
    def tags(self) -> dict[Category, Tags]:
        """The categories about which the query says something."""
        return {category: own for category in CATEGORIES if (own := getattr(self, category))}

    @property
    def _span(self) -> tuple[date, date]:
        return _days_of(self.dates)


@lru_cache
def _days_of(dates: str) -> tuple[date, date]:
    first, last = map(calendar_day, dates.split(_SPAN))
    assert first is not None and last is not None  # validated
    return first, last
