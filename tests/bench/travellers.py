"""How often scripted travellers sound like machines: `python -m tests.bench.travellers [sessions] [--show task:seed]`

Sessions with the reference agent, in memory: the starter tasks over the starter world, then, where the reference data
is, our tasks and the published samples over the ten-city world (whose tools know only some of their cities).
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from benchmark.suites.grouptravel.tasks import TASK_FILES, Task
from sandbox.worlds import World, open_world
from sandbox.worlds.china10 import import_china10
from sandbox.worlds.starter import build_starter
from tests.bench.data import reference_folder
from tests.benchmark.suites.grouptravel.travellers.scripted.faults import faults
from tests.benchmark.suites.grouptravel.travellers.scripted.sessions import Line, play, starter_tasks

OURS = Path(__file__).parents[1] / "data" / "china10_tasks.jsonl"


def cases(folder: Path) -> Iterator[tuple[Task, World]]:
    """Every task with its world."""
    starter = open_world(build_starter(folder / "starter.pack").path)
    yield from ((task, starter) for task in starter_tasks())
    source = reference_folder()
    if not source.is_dir():
        print("(the reference data is not here: its tasks are left out)")
        return
    import_china10(source / "china10", folder / "china10.pack", "china10")
    china10 = open_world(folder / "china10.pack")
    for path in (OURS, source / "grouptravelbench" / "tasks_sample.jsonl"):
        yield from ((read.task, china10) for read in TASK_FILES.whole(path))


def show(lines: list[Line]) -> None:
    """The transcript without plans."""
    for line in lines:
        print(f"  [{line.speaker}] {line.text.split('```')[0].strip()}")


def main() -> None:
    """The faults of each session that has any, and their number."""
    parser = argparse.ArgumentParser()
    parser.add_argument("sessions", nargs="?", type=int, default=50)
    parser.add_argument("--show", nargs="*", default=[], metavar="TASK:SEED")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = list(cases(Path(folder)))
        wanted = {tuple(each.split(":")) for each in options.show}
        played = ((task, world, seed) for seed in range(options.sessions) for task, world in found)
        if wanted:
            played = (each for each in played if (each[0].task_id, str(each[2])) in wanted)
        counts, messages, sessions = Counter[str](), 0, 0
        for task, world, seed in islice(played, len(wanted) or options.sessions):
            lines = play(task, world, seed)
            sessions += 1
            messages += sum(line.kind in ("polled", "mentioned") for line in lines)
            for fault in faults(lines, task.language):
                counts[fault.kind] += 1
                print(
                    f"{task.task_id} seed {seed}: {fault.kind} of {fault.speaker}: {fault.text} | {fault.other_text}"
                )
            if wanted:
                print(f"=== {task.task_id} seed {seed}")
                show(lines)
    kinds = ", ".join(f"{counts[kind]} {kind}s" for kind in ("objection", "opening", "repetition"))
    print(f"{sessions} sessions, {messages} messages of travellers after the opening: {kinds}")


if __name__ == "__main__":
    main()
