"""The turns of a session, judged one by one: for its scores, and for what its user hears of a plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from benchmark.core.setting import Check, Setting
from benchmark.plans.view import Findings, Mark
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


def check_of(setting: Setting[Task, TripWorld]) -> Check:
    """What finds faults in replies; nothing where there is no world.

    It is asked for the fields of an `AgentTurn`, since a plan alone does not tell at which turn it is judged.
    """

    def check(question: Mapping[str, Any]) -> Findings:
        world = world_of(setting)
        if world is None:
            return Findings(())
        verdict = judge_turn(AgentTurn(**question), setting.task, world, parameters_of(setting.options))
        return Findings(tuple(marks_of(verdict)))

    return check
