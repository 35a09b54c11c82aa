"""What agents are told of their plan: each violation with constraint, day and item, and what is wanted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from benchmark.plans.view import Mark, Plan
from benchmark.suites.tripscore.scoring.parameters import Parameters
from benchmark.suites.tripscore.scoring.reward import Score, highest_reward, score_plan
from benchmark.suites.tripscore.scoring.trip import Lookup
from benchmark.suites.tripscore.tasks import Task
from benchmark.text.prompts import Prompts

MOST_TOLD: Final = 40
"""Violations that are told at once."""


class Critic:
    """Scores plans of one task by rules. prompts: with `faults`, a pattern a finding, and `fault`, of a line."""

    def __init__(self, task: Task, parameters: Parameters, prompts: Prompts) -> None:
        self._task, self._parameters, self._prompts = task, parameters, prompts
        self._lookup = Lookup(task.reference)

    def worth(self, plan: Plan | None) -> float:
        """The reward by rules."""
        return self._score(plan).reward

    def faults(self, plan: Plan | None) -> list[str]:
        """What is against a plan; nothing of one that is good enough to stop (`stop_reward`, `stop_margin`)."""
        score = self._score(plan)
        top = highest_reward(self._task, self._parameters, rated=False)
        near = score.feasible and score.reward >= top - self._parameters.stop_margin
        if near or score.reward > self._parameters.stop_reward:
            return []
        told = list(islice(self._lines(score), MOST_TOLD))
        left = sum(map(len, score.marks.values())) - len(told)
        return [*told, self._line("more", left=left)] if left else told

    def _score(self, plan: Plan | None) -> Score:
        return score_plan(plan, self._task, self._parameters, {}, self._lookup)

    def _lines(self, score: Score) -> Iterator[str]:
        for constraint, marks in score.marks.items():
            yield from (self._fault_line(constraint, mark) for mark in marks)

    def _fault_line(self, constraint: str, mark: Mark) -> str:
        given = {
            key: f"{value:g}" if isinstance(value, float) else value for key, value in mark.params.items()
        }
        place = [self._line("day", day=given["day"])] if "day" in given else []
        item = [str(given[key]) for key in ("period", "name") if given.get(key)] if "period" in given else []
        where = ", ".join([*place, *item]) or self._line("whole")
        return self._line("fault", constraint=constraint, where=where, found=self._line(mark.key, **given))

    def _line(self, key: str, /, **fields: object) -> str:
        return self._prompts.line(self._task.language, "faults", key, **fields)
