"""Plays sessions over the code of the tree that is the current folder, at whatever commit that is.

A line on standard input is the id of a starter task and a seed; the answer is the seconds of processor time from the
session's creation to its stored scores.
"""

from __future__ import annotations

import os
import sys
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def main() -> None:
    """Answers until standard input ends. What the tree itself prints goes to standard error."""
    sys.path[0] = str(Path.cwd())
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    import_module("tests.bench.data").fresh_data()
    play = player()
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        name, seed = line.split()
        begun = time.process_time()
        play(name, int(seed))
        print(time.process_time() - begun, file=answers, flush=True)


def player() -> Any:
    """A function that plays a task with a seed, by the names that a tree has for what that takes."""
    models, services = import_module("webapp.catalogue.models"), import_module("webapp.sessions.services")
    loop = import_module("worker.sessions" if find_spec("worker.sessions") else "worker.stepping")
    if find_spec("webapp.memory"):
        import_module("webapp.memory").settle()
    world = models.World.objects.get(name="starter")
    tasks = {task.task_id: task for task in models.Task.objects.all()}

    def play(name: str, seed: int) -> None:
        session = services.create_session(
            task=tasks[name], world=world, setup=services.Setup(seed=seed), start=False
        )
        loop.advance(session.id, budget_s=None, paced=False)

    return play


if __name__ == "__main__":
    main()
