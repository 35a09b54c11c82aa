"""The turns of a session, judged one by one: for its scores, and for what its user hears of a plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from benchmark.core.setting import Check, Setting
from benchmark.plans.view import Findings, Mark, Plan
from benchmark.suites.tripbench.plans.parameters import Parameters
from benchmark.suites.tripbench.scoring.options import parameters_of
from benchmark.suites.tripbench.scoring.verdict import Constraint, Turn, Verdict, judge_plan
from benchmark.suites.tripbench.tasks.task import Task
from benchmark.suites.tripbench.turns import CONSTRAINT, AgentTurn
from benchmark.suites.tripbench.world import world_of
from sandbox.toolsets.tripbench.records import TripWorld

MOST_MARKS: Final = 20
"""Findings of a constraint in a turn that are told."""


def judge_turn(turn: AgentTurn, task: Task, world: TripWorld, parameters: Parameters) -> Verdict:
    """What the rules say of a reply at its turn."""
    demand = task.demand_after(turn.issued_ids)
    constraints = [Constraint(id_, one.rubric, one.args) for id_, one in demand.constraints.items()]
    asked = Turn(world, demand.frame, parameters, constraints, frozenset(task.repeatable), turn.needs_plan)
    verdict = judge_plan(turn.plan, turn.before, asked)
    return replace(verdict, carried=True) if turn.is_carried else verdict


def marks_of(verdict: Verdict) -> list[Mark]:
    """What is against a plan, each with the constraint that finds it."""
    found = {**verdict.marks, **verdict.user_marks}
    return [
        mark._replace(params={CONSTRAINT: key, **mark.params})
        for key, marks in found.items()
        for mark in marks[:MOST_MARKS]
    ]


class TurnJudge:
    """Judges the replies of a session one by one; ask a setting for its own (`Setting.once`).

    A reply is judged for what its user hears, and for what its policy earns: the last verdict is kept.
    """

    def __init__(self, setting: Setting[Task, TripWorld]) -> None:
        self._setting = setting
        self._last: tuple[AgentTurn, Verdict] | None = None

    def verdict(self, turn: AgentTurn) -> Verdict | None:
        """What the rules say of a reply; None where there is no world."""
        world = world_of(self._setting)
        if world is None:
            return None
        if self._last is None or not _is_same_reply(self._last[0], turn):
            plain = turn._replace(is_carried=False)
            self._last = (
                turn,
                judge_turn(plain, self._setting.task, world, parameters_of(self._setting.options)),
            )
        verdict = self._last[1]
        return replace(verdict, carried=True) if turn.is_carried else verdict


def _is_same_reply(one: AgentTurn, other: AgentTurn) -> bool:
    """Whether two turns are one, before its message had a number and after. Equal plans may differ: True is 1."""
    asked, again = (one.issued_ids, one.needs_plan), (other.issued_ids, other.needs_plan)
    return asked == again and one.before is other.before and _is_same_plan(one.plan, other.plan)


def _is_same_plan(one: Plan | None, other: Plan | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.keys() == other.keys() and all(one[key] is other[key] for key in one)


def check_of(setting: Setting[Task, TripWorld]) -> Check:
    """What finds faults in replies; nothing where there is no world.

    It is asked for the fields of an `AgentTurn`, since a plan alone does not tell at which turn it is judged.
    """

    def check(question: Mapping[str, Any]) -> Findings:
        verdict = setting.once(TurnJudge).verdict(AgentTurn(**question))
        return Findings(() if verdict is None else tuple(marks_of(verdict)))

    return check
