"""Whether mutated plans fail by what was aimed at, and by nothing that was not declared."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from benchmark.plans.view import Mark
from benchmark.suites.tripbench.scoring.verdict import FEASIBILITY
from tests.scale.tripmutants import exchanges, feasibility, purchases, soundness
from tests.scale.tripmutants.changes import MUTATORS, Aim, Json, Mutator, Stage, Unfit

MODULES = (feasibility, soundness, exchanges, purchases)
"""Which register the mutators."""
_TRIES = 20
"""Stages that are tried for a mutator before the next one has its turn."""


def faults_of(mutator: Mutator, stage: Stage, random: Random) -> Iterator[str]:
    """What is wrong with the verdict on a mutated plan. Raises Unfit."""
    plan = copy.deepcopy(stage.plan)
    aim = mutator.change(plan, stage, random)
    asked = () if aim.constraint is None else (aim.constraint,)
    verdict, named = stage.judge(plan, *asked), f"{mutator.name} {aim}"
    target = mutator.target if aim.constraint is None else aim.constraint.id
    rubrics = {one.id: str(one.rubric) for one in (*stage.constraints, *asked)}
    flags = {**verdict.feasibility, **verdict.soundness, **verdict.user}
    if asked and not stage.judge(stage.plan, *asked).strict:
        yield f"{named}: it fails before"
    if flags[target] is not False:
        yield f"{named}: it is {flags[target]}"
    if mutator.target in FEASIBILITY[:2] and verdict.is_judged:
        yield f"{named}: more is judged"
    for key in (key for key, flag in flags.items() if flag is False and key != target):
        rubric = rubrics.get(key, key)
        if not {rubric, rubric.split(".")[0]} & mutator.effects:
            yield f"{named}: {rubric} fails too"
    marks = {**verdict.marks, **verdict.user_marks}.get(target, ())
    if not any(_tells_of(mark, aim, plan) for mark in marks):
        yield f"{named}: nothing tells of it in {marks[:3]}"


def _tells_of(mark: Mark, aim: Aim, plan: Json) -> bool:
    """Whether a finding's path leads to something, or to a key that is missing, and its day is the changed one; and
    what is found against a user's constraint tells what a plan has instead.
    """
    inside = plan
    for number, key in enumerate(mark.at):
        try:
            inside = inside[key]
        except (KeyError, IndexError, TypeError):
            return number == len(mark.at) - 1
    if aim.constraint is not None and not mark.params.get("seen"):
        return False
    return aim.day is None or mark.params.get("day") == aim.day


def mutant_faults(stages: Sequence[Stage], count: int, seed: int = 0) -> tuple[Counter[str], list[str]]:
    """How many plans were aimed at each constraint, and what was wrong. All mutators in turn, stages at random."""
    random, counts, faults = Random(seed), Counter[str](), list[str]()
    while counts.total() < count:
        for mutator in random.sample(MUTATORS, len(MUTATORS)):
            for _ in range(_TRIES if counts.total() < count else 0):
                try:
                    faults += faults_of(mutator, random.choice(stages), random)
                except Unfit:
                    continue
                counts[mutator.target] += 1
                break
    return counts, faults
