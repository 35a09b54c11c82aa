"""What the reference agent reaches with the scripted users, task by task: `python -m tests.bench.agent`."""

from __future__ import annotations

import statistics
import time
from pathlib import Path
from typing import Any

from tests import ROOT
from tests.bench.data import fresh_data, reference_folder


def import_ten_cities() -> None:
    """The ten-city world and our six tasks over it, where the reference data is."""
    from benchmark.suites.grouptravel.tasks import TASK_FILES
    from sandbox.worlds.china10 import import_china10
    from webapp.catalogue.imports import import_tasks
    from webapp.catalogue.services import build_world

    source = reference_folder() / "china10"
    if not source.is_dir():
        print("(the ten-city data is not here: six tasks are left out)")
        return
    world = build_world(name="china10", build=lambda target: import_china10(source, target, "china10"))
    import_tasks(
        read=TASK_FILES.whole(Path(ROOT) / "tests" / "data" / "china10_tasks.jsonl"),
        collection="china10",
        world=world,
    )


def run(task: Any, seed: int) -> dict[str, Any]:
    """One session and its figures."""
    from webapp.catalogue.models import World
    from webapp.sessions.scoring import record_of
    from webapp.sessions.services import Setup, create_session
    from worker.sessions import advance

    world = World.objects.get(name=task.collection.name)
    begun = time.perf_counter()
    session = create_session(task=task, world=world, setup=Setup(seed=seed), start=False)
    advance(session.id, budget_s=None, paced=False)
    seconds = time.perf_counter() - begun
    session.refresh_from_db()
    score, paper = (session.scores.get(profile=name) for name in ("published", "paper"))
    calls = record_of(session)["agent_tool_stats"]["tool_calls_executed"]
    return {"score": score, "paper": paper, "rounds": session.round, "calls": calls, "seconds": seconds}


def validity(score: Any) -> str:
    """`valid`, or its issues by type."""
    return "valid" if score.figures["pv"] else str(score.figures["pv_issue_counts"])


def main() -> None:
    """A row a task, and the means."""
    fresh_data()
    from webapp.catalogue.models import Task

    import_ten_cities()
    print("| task | N | cities | days | PC | GU | GF | PV | by the paper | rounds | tool calls | s |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    found = []
    for task in Task.objects.select_related("collection"):
        row = run(task, 0)
        score = row["score"]
        figures = score.figures
        found.append(figures)
        print(
            f"| {task.task_id} ({task.difficulty}) | {task.size}{f'+{task.children}' if task.children else ''} "
            f"| {task.city_count} | {task.days} | {figures['pc']:.3f} | {figures['gu']} | {figures['gf']} "
            f"| {validity(score)} | {validity(row['paper'])} | {row['rounds']} | {row['calls']} "
            f"| {row['seconds']:.2f} |"
        )
    pcs = [figures["pc"] for figures in found]
    print(
        f"\nmean PC {statistics.fmean(pcs):.3f}, lowest {min(pcs):.3f}; "
        f"valid {sum(bool(figures['pv']) for figures in found)} of {len(found)}"
    )


if __name__ == "__main__":
    main()
