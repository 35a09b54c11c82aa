"""Proofs that a plan meets all that holds at a turn, or that none does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from benchmark.suites.tripbench.planner import Outcome, plan_trip
from benchmark.suites.tripbench.scoring.verdict import Constraint, Turn, judge_plan
from benchmark.suites.tripbench.tasks.task import Demand, Instruction, Task
from sandbox.tools.language import Language
from sandbox.toolsets.tripbench.records import TripWorld

MOST_PLANS: Final = 25
"""Plans that the planner tries for a turn."""


@dataclass
class Prover:
    """Finds plans, and remembers them: what meets the end of a task meets most of its turns."""

    world: TripWorld
    language: Language
    plans: list[Mapping[str, Any]] = field(default_factory=list)

    def find_plan(self, demand: Demand) -> Mapping[str, Any] | None:
        """A strict plan for what holds; None where none was found."""
        known = self._known_plan(demand)
        return self._keep(self.try_plans(demand)) if known is None else known

    def find_culprits(self, demand: Demand) -> tuple[str, ...] | None:
        """What keeps a plan from being found, or is unmet by the best one, by ids; None where one was found."""
        if self._known_plan(demand) is not None:
            return None
        outcome = self.try_plans(demand)
        if self._keep(outcome) is not None:
            return None
        if outcome.proof is not None:
            return outcome.proof.constraints
        flags = {} if outcome.verdict is None else outcome.verdict.user
        return tuple(id_ for id_, holds in flags.items() if holds is False)

    def _known_plan(self, demand: Demand) -> Mapping[str, Any] | None:
        turn = Turn(self.world, demand.frame, constraints=_constraints(demand.constraints.values()))
        return next((plan for plan in self.plans if judge_plan(plan, None, turn).strict), None)

    def _keep(self, outcome: Outcome) -> Mapping[str, Any] | None:
        if outcome.state != "strict" or outcome.plan is None:
            return None
        self.plans.append(outcome.plan)
        return outcome.plan

    def try_plans(self, demand: Demand) -> Outcome:
        """What comes of planning."""
        return plan_trip(
            self.world,
            demand.frame,
            _constraints(demand.constraints.values()),
            language=self.language,
            limit_nodes=MOST_PLANS,
        )

    def proves_turns(self, task: Task) -> bool:
        """Whether there is a plan after each node."""
        issued: list[str] = []
        for node in task.nodes:
            issued += [one.id for one in node.instructions]
            if self.find_plan(task.demand_after(issued)) is None:
                return False
        return True


def _constraints(instructions: Iterable[Instruction]) -> list[Constraint]:
    return [Constraint(one.id, one.rubric, one.args) for one in instructions]
