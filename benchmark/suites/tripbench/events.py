"""The events that only TRIP-Bench's logs hold, or in which they hold more than others."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from benchmark.core import events
from benchmark.core.events import RESEARCH, EventBody, Kinds, only
from benchmark.suites.tripbench.modes import MODE, OWN_STYLE, STYLE
from benchmark.suites.tripbench.tasks.task import USER, Subset, Tier

Block = Literal["history", "new", "modify", "issue", "special"]
"""history: what holds. new: what comes now. modify: what changes or ends something that holds. issue: what is wrong
with the last plan. special: talk about the plan that asks for nothing formal."""


class SessionOpened(events.SessionOpened):
    """What everybody may know of a task: how hard it is, and of which subset."""

    suite: Literal["tripbench"] = "tripbench"
    tier: Tier
    subset: Subset

    @property
    def users(self) -> tuple[str, ...]:
        """The one who asks."""
        return (USER,)

    @property
    def mode(self) -> object:
        """How the conversation is held."""
        return self.options.get(MODE.key, MODE.default)

    @property
    def chosen_style(self) -> str:
        """How the user talks, `own` for what the task says."""
        return str(self.options.get(STYLE.key, OWN_STYLE))


class TaskDealt(EventBody):
    """The task as the rules know it, without the plan that proves it. Its user is told of it turn by turn."""

    type: Literal["task_dealt"] = "task_dealt"
    task: dict[str, Any]

    def audience(self) -> str:
        return RESEARCH


class Item(BaseModel):
    """Something that the user may say. words: as they would. replaces: ids of what ends with it.

    is_vague: whether they are to say it vaguely for now.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    id: str
    block: Block
    words: str
    replaces: tuple[str, ...] = ()
    is_vague: bool = False


class UserBriefed(EventBody):
    """What the user may say in the turn that begins, and nothing of what comes later.

    turn: from 1. trip: in words. chosen_ids: what a program says. needed_ids: what must be said now. most: ids at
    once. style: how they talk.
    """

    type: Literal["user_briefed"] = "user_briefed"
    turn: int
    turns: int
    trip: str
    items: tuple[Item, ...] = ()
    chosen_ids: tuple[str, ...] = ()
    needed_ids: tuple[str, ...] = ()
    most: int
    style: str = ""

    def audience(self) -> str:
        return only(USER)


class InstructionsIssued(EventBody):
    """What the user's message just before has said, by ids. substituted: a program spoke in place of a model that
    had not kept to what it may say.
    """

    type: Literal["instructions_issued"] = "instructions_issued"
    ids: tuple[str, ...]
    substituted: bool = False

    def audience(self) -> str:
        return only(USER)


class PlanProposed(events.PlanProposed):
    """carried: the answer says that nothing changes, so that these are the days of the plan before."""

    carried: bool = False


class Finding(BaseModel):
    """What an evaluator finds. constraint: which is broken. words: for the user, in the session's language.

    at: where in the plan.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    constraint: str
    words: str
    at: tuple[str | int, ...] = ()


class PlanChecked(EventBody):
    """What an evaluator finds in the agent's last plan, as the user is told. seat: whose user.

    code_version: of the rules.
    """

    type: Literal["plan_checked"] = "plan_checked"
    seat: str
    findings: tuple[Finding, ...]
    code_version: str

    def audience(self) -> str:
        return only(self.seat)


KINDS = Kinds(SessionOpened, TaskDealt, UserBriefed, InstructionsIssued, PlanProposed, PlanChecked)
