"""TRIP-Bench's tasks played with the plans that prove them: `python -m tests.scale.tripbench_tasks [COUNT [PACK]]`.

Every subset in both splits. The agent has the proofs of a task and nothing else; it must end each session strictly.
Then each last plan is corrupted by every mutator that has a place in it, and must fail by what that aims at.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from benchmark.agents.briefing import fence_plan
from benchmark.core.actions import Say
from benchmark.core.engine import Conversation, run
from benchmark.core.events import SessionStart
from benchmark.core.setting import Setting
from benchmark.core.view import AGENT, View
from benchmark.suites.base import read_options
from benchmark.suites.tripbench.making.production import SYNTHESIS
from benchmark.suites.tripbench.making.proofs import files_beside
from benchmark.suites.tripbench.scoring.sessions import PUBLISHED, score_session
from benchmark.suites.tripbench.scoring.verdict import Constraint, Turn, Verdict, judge_plan
from benchmark.suites.tripbench.suite import SUITE
from benchmark.suites.tripbench.tasks import TASK_FILES, Task
from benchmark.suites.tripbench.tasks.task import SPLITS, SUBSETS, USER
from benchmark.suites.tripbench.users.program import ScriptedUser
from benchmark.synthesis import Order
from sandbox.toolbox import ToolOutcome
from sandbox.toolsets.tripbench.records import TripWorld
from sandbox.toolsets.tripbench.world import trip_world
from sandbox.worlds import open_world
from sandbox.worlds.starter import build_starter
from tests.scale.tripmutants.changes import MUTATORS, Stage, Unfit, task_stage
from tests.scale.tripmutants.judging import faults_of

COUNT = 126
Json = Any
CANNOT = "This can't be done; no plan can meet all of that."


class NoTools:
    """Nobody calls any."""

    def call(self, name: str, arguments: dict[str, Any] | str) -> ToolOutcome:
        """Never asked."""
        raise AssertionError(name)


def judge(plan: Json, task: Task, issued: list[str], world: TripWorld) -> Verdict:
    """A plan by what holds after some instructions."""
    demand = task.demand_after(issued)
    held = [Constraint(id_, one.rubric, one.args) for id_, one in demand.constraints.items()]
    return judge_plan(plan, None, Turn(world, demand.frame, constraints=held))


@dataclass
class ProvenAgent:
    """Says the first of the plans that meets what holds, and that it can't be done where none does."""

    task: Task
    plans: list[Json]
    world: TripWorld
    conversation: Conversation[Any]

    def act(self, view: View) -> Say:
        """The next reply."""
        issued = self.conversation.state.issued_ids
        fit = (plan for plan in self.plans if judge(plan, self.task, issued, self.world).strict)
        plan = next(fit, None)
        return Say(CANNOT if plan is None else f"Here it is.\n{fence_plan(plan)}")


def play(task: Task, plans: list[Json], world: TripWorld) -> Mapping[str, Any]:
    """The figures of a session."""
    options = read_options(SUITE.options, {})
    setting = Setting(read_task=lambda: task, world=world, options=options, language=task.language)
    conversation = Conversation(SUITE.play.rules)
    conversation.append(SUITE.play.opening(task, SessionStart(options=options)))
    agent = ProvenAgent(task, plans, world, conversation)
    run(conversation, {AGENT: agent, USER: ScriptedUser()}, NoTools(), check=SUITE.play.check(setting))
    return score_session(conversation.events, setting)[PUBLISHED].as_json()


def check_mutants(stage: Stage, random: Random) -> tuple[int, list[str]]:
    """How many mutators have a place in a plan, and what is wrong with the verdicts on it then."""
    count, faults = 0, list[str]()
    for mutator in MUTATORS:
        with suppress(Unfit):
            faults += faults_of(mutator, stage, random)
            count += 1
    return count, faults


def check_tasks(pack: Path, total: int, folder: Path) -> tuple[Counter[str], list[str]]:
    """Make so many tasks of all subsets and splits, and play them; counts, and what went wrong."""
    world, counts, faults = trip_world(open_world(pack)), Counter[str](), list[str]()
    each = max(1, total // (len(SUBSETS) * len(SPLITS)))
    for subset in SUBSETS:
        for split in SPLITS:
            out = folder / f"{subset}-{split}.jsonl"
            options = {"subset": subset, "split": split, "english": 3, "prefix": f"{split}-"}
            SYNTHESIS.produce(Order(world=pack, count=each, seed=11, options=options), out)
            proofs = map(json.loads, files_beside(out)["proofs"].read_text("utf-8").splitlines())
            for read, proof in zip(TASK_FILES.whole(out), proofs, strict=True):
                plans = [node["plan"] for node in proof["nodes"]]
                figures = play(read.task, plans, world)
                counts.update({"tasks": 1, "strict": int(figures["strict"])})
                counts["per_turn"] += int(figures["strict_per_turn"] == 1)
                if not figures["strict"]:
                    faults.append(f"{read.task.id}: not strict")
                count, found = check_mutants(task_stage(read.task, world, plans[-1]), Random(counts["tasks"]))
                counts["corrupted"] += count
                faults += [f"{read.task.id}: {fault}" for fault in found]
    return counts, faults


def main() -> int:
    """Tell how many sessions ended strictly; 0 where all did and each corruption failed as it should."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    with tempfile.TemporaryDirectory() as folder:
        pack = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(folder) / "starter.sqlite3"
        if len(sys.argv) <= 2:
            build_starter(pack)
        counts, faults = check_tasks(pack, count, Path(folder))
    print("\n".join(faults[:20]))
    print(
        f"{counts['tasks']} tasks: {counts['strict']} end strictly, {counts['per_turn']} are strict in every turn; "
        f"{counts['corrupted']} corrupted plans, {len(faults)} faults"
    )
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
