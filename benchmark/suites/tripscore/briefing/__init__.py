"""What agents over a model are told of TripScore (appendix H.4 of the paper, in our own words)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel

from benchmark.agents.briefing import SHARED_PROMPTS, Briefing
from benchmark.core.participant import SeatContext
from benchmark.core.plan_answer import PLAN_TURN
from benchmark.suites.tripscore.itineraries import find_plan
from benchmark.suites.tripscore.refining.critic import Critic
from benchmark.suites.tripscore.scoring.options import parameters_of
from benchmark.suites.tripscore.tasks import Task
from benchmark.text.prompts import Prompts

PROMPTS: Final = Prompts(Path(__file__).parent / "prompts", SHARED_PROMPTS)


def briefing_of(context: SeatContext) -> Briefing:
    """The briefing of a seat: the rules, the form, and all data of its task (sole planning)."""

    @cache
    def facts() -> dict[str, str]:
        assert isinstance(context.task, Task)
        return data_of(context.task)

    @cache
    def critic() -> Critic:
        assert isinstance(context.task, Task)
        return Critic(context.task, parameters_of(context.options), PROMPTS)

    return Briefing(
        prompts=PROMPTS,
        facts=lambda view: facts(),
        instructions={PLAN_TURN: "plan"},
        talking=("role", "schema", "data"),
        planning=("role", "schema", "data"),
        final=PLAN_TURN,
        plan=find_plan,
        plan_anywhere=find_plan,
        faults=lambda plan, view: critic().faults(plan),
        worth=lambda plan: critic().worth(plan),
    )


def data_of(task: Task) -> dict[str, str]:
    """The query and each list of the reference as lines of JSON, with every key that the task has."""
    reference = task.reference
    query = task.query.model_dump(mode="json", exclude_unset=True, exclude={"user_request"})
    return {
        "query": _json(query),
        "transportation": _lines(reference.transportation),
        "attractions": _lines(reference.attractions),
        "hotels": _lines(reference.hotels),
    }


def _lines(entries: Iterable[BaseModel]) -> str:
    return "\n".join(_json(entry.model_dump(mode="json", exclude_unset=True)) for entry in entries) or "–"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
