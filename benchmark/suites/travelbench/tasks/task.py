"""A task in the published format."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationInfo,
    field_validator,
)
from pydantic_core import PydanticCustomError

from benchmark.suites.travelbench.events import USER
from benchmark.suites.travelbench.modes import Subtask
from benchmark.text import guarded

Text = Annotated[str, StringConstraints(min_length=1)]
CAUSES = ("missing_tool", "missing_info", "no_actionable")
"""Why a task can't be solved; just one of them holds in an unsolvable task."""
YEARS = range(1000, 9000)
"""The days before and after a request are days of the calendar too."""
_HOUR = "%Y-%m-%d %H:%M"
_TIME_FORMAT = guarded.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}")
"""strptime also reads other digits, and single ones, which lists and filters do not."""
_CHINESE = guarded.compile("[\u4e00-\u9fff]")


def _an_hour(text: str) -> str:
    try:
        whole = datetime.strptime(text, _HOUR).year in YEARS and bool(_TIME_FORMAT.fullmatch(text))
    except ValueError:
        whole = False
    if not whole:
        raise PydanticCustomError(
            "an_hour", f"not a time of the calendar (YYYY-MM-DD HH:MM), {YEARS[0]} to {YEARS[-1]}"
        )
    return text


def _first_cause(info: ValidationInfo) -> str:
    """The first cause that holds of those read before a field, "" for none."""
    return next((cause for cause in CAUSES if info.data.get(cause)), "")


class Task(BaseModel):
    """A request of a traveller. The files number their tasks anew, so the subtask is part of a task's id.

    query: raw speech. primary_intent: a path with dots. intent: what was meant, for the user alone, as is
    user_profile (Markdown, multi-turn alone). context: Markdown, "" in some unsolvable tasks. avg_tool_calls: of
    several models, None for unsolvable ones.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)
    trace_id: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    time: Annotated[str, AfterValidator(_an_hour)]
    query: Text
    primary_intent: Text
    context: str = ""
    intent: str
    missing_tool: bool = False
    missing_info: bool = False
    no_actionable: bool = False
    user_profile: str = ""
    avg_tool_calls: float | None = Field(default=None, ge=0, allow_inf_nan=False)

    @field_validator("missing_info", "no_actionable")
    @classmethod
    def _one_cause(cls, value: bool, info: ValidationInfo) -> bool:
        if value and (other := _first_cause(info)):
            raise PydanticCustomError(
                "causes", "{other} is true as well; leave one of them", {"other": other}
            )
        return value

    @field_validator("user_profile")
    @classmethod
    def _of_solvable(cls, value: str, info: ValidationInfo) -> str:
        if value and (cause := _first_cause(info)):
            raise PydanticCustomError(
                "profile",
                "an unsolvable task has no profile; remove it, or set {cause} to false",
                {"cause": cause},
            )
        return value

    @property
    def causes(self) -> tuple[str, ...]:
        """Those that hold."""
        return tuple(cause for cause in CAUSES if getattr(self, cause))

    @property
    def subtask(self) -> Subtask:
        """An unsolvable task has a cause, a multi-turn one has a profile, and a single-turn one has neither."""
        if self.causes:
            return "unsolved"
        return "multi" if self.user_profile else "single"

    @property
    def task_id(self) -> str:
        """`travelbench-multi-7`."""
        return f"travelbench-{self.subtask}-{self.trace_id}"

    @property
    def users(self) -> tuple[str, ...]:
        """Who talks with the agent after the query."""
        return (USER,) if self.subtask == "multi" else ()

    @property
    def language(self) -> str:
        """By the query: `zh` with a Chinese character, else `en`."""
        return "zh" if _CHINESE.search(self.query) else "en"
