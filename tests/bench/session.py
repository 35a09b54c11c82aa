"""A headless session from its creation to its stored scores: reference agent, scripted users, no pace, SQLite.

What a worker does once it has started is done here as well: what start-up has made is left out of collections.
"""

from __future__ import annotations

import statistics
import time

from tests.bench.data import fresh_data

SEEDS = 5


def main() -> None:
    """Median and range by difficulty over the shipped tasks and a few seeds."""
    fresh_data()
    from webapp.catalogue.models import Task, World
    from webapp.memory import settle
    from webapp.sessions.services import Setup, create_session
    from worker.sessions import advance

    world = World.objects.get(name="starter")
    settle()
    for difficulty in ("easy", "medium", "hard"):
        spent, busy = [], time.process_time()
        for seed in range(SEEDS):
            for task in Task.objects.filter(difficulty=difficulty):
                begun = time.perf_counter()
                session = create_session(task=task, world=world, setup=Setup(seed=seed), start=False)
                advance(session.id, budget_s=None, paced=False)
                spent.append(time.perf_counter() - begun)
        print(
            f"{difficulty}: {len(spent)} sessions, median {statistics.median(spent):.2f} s, "
            f"from {min(spent):.2f} to {max(spent):.2f} s; {time.process_time() - busy:.2f} s of the processor in all"
        )


if __name__ == "__main__":
    main()
