"""Games as cases: which questions were asked, of which task, and what that is worth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict

from benchmark.suites.base import CaseContext, Cases


class _Case(BaseModel):
    model_config = ConfigDict(strict=True)

    id: str
    task_id: str
    questions: list[str]


def _score(given: Mapping[str, Any], context: CaseContext) -> dict[str, Any]:
    """Questions, those beyond the rounds of the task several times, as the option `late` says."""
    case = _Case.model_validate(given)
    task: Any = context.task(case.task_id)
    rounds = task.get("rounds", 5)
    late = max(0, len(case.questions) - rounds) * (int(context.options.get("late", 1)) - 1)
    return {"id": case.id, "profile": context.profile, "questions": len(case.questions) + late}


CASES = Cases(_score, frozenset({"profile", "tasks"}))
