"""The baselines as agents that need no model."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from benchmark.core.actions import Say
from benchmark.core.participant import BuiltIn, SeatContext
from benchmark.core.view import View
from benchmark.suites.traveleval.baselines.budget import plan_within_budget
from benchmark.suites.traveleval.baselines.plans import UnmetBudget, plan_without_limit
from benchmark.suites.traveleval.baselines.writing import Plan
from benchmark.suites.traveleval.tasks import Query
from benchmark.suites.traveleval.world import Tables, tables_of
from sandbox.tools.language import Language

MakePlan = Callable[[Query, Tables, int], Plan | UnmetBudget]
_NO_WORLD: Final = Tables({}, {}, ())
_ANSWER_WITHOUT_MONEY: Final[dict[Language, str]] = {
    "zh": "在预算内无法满足这些要求。找到的最便宜方案总价为{cost:.0f}元。",
    "en": "The request can't be met within the budget. The cheapest plan found costs {cost:.0f} RMB in total.",
}
_ANSWER_WITHOUT_JOURNEY: Final[dict[Language, str]] = {
    "zh": "没有往返的车次、航班或住处，无法安排行程。",
    "en": "No plan can be made: there are no services there and back, or no rooms.",
}


@dataclass(frozen=True)
class BaselineAgent:
    """Gives the plan of a baseline, or says that there is none."""

    context: SeatContext
    make_plan: MakePlan

    @cached_property
    def _answer(self) -> str:
        query, pack, language = self.context.task, self.context.pack, self.context.language
        assert isinstance(query, Query)
        plan = self.make_plan(query, tables_of(pack) if pack else _NO_WORLD, self.context.seed)
        if not isinstance(plan, UnmetBudget):
            return f"```json\n{json.dumps(plan, ensure_ascii=False, indent=1)}\n```"
        return (
            _ANSWER_WITHOUT_JOURNEY[language]
            if plan.cheapest is None
            else _ANSWER_WITHOUT_MONEY[language].format(cost=plan.cheapest)
        )

    def act(self, view: View) -> Say:
        """The one answer."""
        return Say(self._answer)


BASELINE_A = BuiltIn(lambda context: BaselineAgent(context, plan_without_limit))
BASELINE_B = BuiltIn(lambda context: BaselineAgent(context, plan_within_budget))
