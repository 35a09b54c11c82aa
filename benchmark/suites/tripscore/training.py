"""TripScore's reward of single plans, with all that does not depend on the plan made once a task."""

from __future__ import annotations

from collections.abc import Mapping

from benchmark.core.options import Options
from benchmark.suites.base import Reward, RewardPlan, Training
from benchmark.suites.tripscore.metrics import FEASIBLE, REWARD
from benchmark.suites.tripscore.scoring.options import parameters_of
from benchmark.suites.tripscore.scoring.reward import Score, score_plan
from benchmark.suites.tripscore.scoring.trip import Lookup
from benchmark.suites.tripscore.tasks import Task

_MOST_REASONS = 3


def prepare_task(task: Task, options: Options) -> RewardPlan:
    """The rules over a task."""
    lookup, parameters = Lookup(task.reference), parameters_of(options)

    def reward_plan(plan: object, ratings: Mapping[str, object]) -> Reward:
        score = score_plan(plan, task, parameters, ratings, lookup)
        figures = score.as_json()
        for key in ("reward", "delivered", "feasible"):
            del figures[key]
        return Reward(score.reward, score.delivered, score.feasible, _reason(score), figures)

    return reward_plan


def _reason(score: Score) -> str:
    """The constraints of the gate that is shut, each with the first thing that is against it."""
    if score.feasible:
        return ""
    shut = [(key, marks) for key, marks in score.marks.items() if marks]
    told = []
    for key, marks in shut[:_MOST_REASONS]:
        params = ", ".join(f"{name} {value}" for name, value in marks[0].params.items())
        told.append(f"{key}: {marks[0].key}" + (f" ({params})" if params else ""))
    more = len(shut) - _MOST_REASONS
    return "; ".join(told) + (f"; and {more} more" if more > 0 else "")


TRAINING: Training[Task, None] = Training(FEASIBLE, REWARD, prepare_task)
