"""The toy as Caravan asks for it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

from pydantic import BaseModel

from benchmark.core.engine import Step
from benchmark.core.events import USUAL_START, Event, SessionStart
from benchmark.core.state import fold_events
from benchmark.core.taskfiles import TaskFiles
from benchmark.suites.base import Play, Rating, Suite, TaskColumn, TaskField, Tasks
from sandbox.toolbox import SandboxSetup
from tests.toysuite.cases import CASES
from tests.toysuite.events import KINDS, PLAYER, NumberDealt, SessionOpened
from tests.toysuite.judging import RUBRIC, WIT
from tests.toysuite.options import MODE
from tests.toysuite.players import CAST
from tests.toysuite.rules import RULES, ToyState
from tests.toysuite.scoring import SCORING
from tests.toysuite.tools import COUNTING


class ToyTask(BaseModel, frozen=True):
    task_id: str
    number: int
    rounds: int = 5
    hint: str = ""
    language: str = "en"
    users: tuple[str, ...] = (PLAYER,)
    tricks: int = 0
    prize: float | None = None
    public: bool | None = None
    day: str = ""
    tags: tuple[str, ...] = ()


FIELDS: tuple[TaskField[ToyTask], ...] = (
    TaskField(
        "length",
        "Length",
        "choice",
        lambda task: "long" if task.rounds > 5 else "short",
        {"short": "up to five questions", "long": "more questions"},
        filtered=True,
    ),
    TaskField("hint", "hint", "text", lambda task: task.hint, filtered=True, usual=True),
    TaskField("rounds", "rounds", "count", lambda task: task.rounds, filtered=True, usual=True),
    TaskField("tricks", "tricks", "some", lambda task: task.tricks, {"on": "With tricks"}, filtered=True),
    TaskField("prize", "prize", "number", lambda task: task.prize, filtered=True),
    TaskField("public", "public", "flag", lambda task: task.public, {"yes": "open to all"}, filtered=True),
    TaskField(
        "day", "day", "date", lambda task: date.fromisoformat(task.day) if task.day else None, filtered=True
    ),
    TaskField("tags", "tags", "names", lambda task: task.tags, filtered=True),
)
COLUMNS = (TaskColumn(("day", "hint"), "day, hint"), TaskColumn(("length",)))


def opening(task: ToyTask, start: SessionStart = USUAL_START) -> Step:
    sandbox = start.sandbox or SandboxSetup(toolset=COUNTING.name)
    kept = start.fields(language="en", sandbox=sandbox)
    opened = SessionOpened(task_id=task.task_id, rounds=task.rounds, **kept)
    return Step("system", (opened, *start.seats, NumberDealt(number=task.number, hint=task.hint)))


def record(events: Iterable[Event], *, task_index: int = 0, trial_id: int = 0) -> dict[str, Any]:
    state = fold_events(ToyState(), events)
    said = [[message.role, message.content] for message in state.messages]
    return {"task_index": task_index, "trial_id": trial_id, "number": state.number, "said": said}


SUITE = Suite(
    name="toy",
    title="Toy",
    tasks=Tasks(
        files=TaskFiles(ToyTask.model_validate),
        fields=FIELDS,
        columns=COLUMNS,
        search_keys=("hint", "tags"),
    ),
    play=Play(
        kinds=KINDS,
        rules=RULES,
        opening=opening,
        cast=lambda: CAST,
        record=record,
        toolset=COUNTING.name,
        options=(MODE,),
    ),
    scoring=SCORING,
    rating=Rating((RUBRIC, WIT)),
    cases=CASES,
)
