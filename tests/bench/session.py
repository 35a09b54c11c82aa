"""A headless session from its creation to its stored scores: reference agent, scripted users, no pace, SQLite.

What a worker does once it has started is done here as well: what start-up has made is left out of collections.
`--against FOLDER` plays every session in this tree and in another one by turns, such as a worktree of an older
commit.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

from tests.bench.data import fresh_data
from tests.bench.turns import ratio_text, take_turns

SEEDS = 5
DIFFICULTIES = {
    "easy": ("starter_01", "starter_03", "starter_04", "starter_07", "starter_en_01"),
    "medium": ("starter_02", "starter_05", "starter_06", "starter_08", "starter_12", "starter_en_02"),
    "hard": ("starter_09", "starter_10", "starter_11", "starter_en_03"),
}
PLAYER = Path(__file__).with_name("session_player.py")
_WARMING_SEED = 99


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="a tree to take turns with")
    parser.add_argument("--difficulty", choices=DIFFICULTIES, action="append", help="by default all")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    chosen = parser.parse_args()
    difficulties = chosen.difficulty or list(DIFFICULTIES)
    if chosen.against:
        compare(chosen.against.resolve(), difficulties, chosen.seeds)
    else:
        measure(difficulties, chosen.seeds)


def compare(other: Path, difficulties: list[str], seeds: int) -> None:
    """The ratio of processor times by difficulty; one session of each task comes first and is not counted."""
    for difficulty in difficulties:
        tasks = DIFFICULTIES[difficulty]
        items = [f"{task} {seed}" for seed in range(seeds) for task in tasks]
        turns = take_turns(PLAYER, other, [f"{task} {_WARMING_SEED}" for task in tasks], items)
        print(f"{difficulty}: {ratio_text([turn for _, turn in turns])}", flush=True)


def measure(difficulties: list[str], seeds: int) -> None:
    """Median and range by difficulty over the shipped tasks and a few seeds."""
    fresh_data()
    from webapp.catalogue.models import Task, World
    from webapp.memory import settle
    from webapp.sessions.services import Setup, create_session
    from worker.sessions import advance

    world = World.objects.get(name="starter")
    settle()
    for difficulty in difficulties:
        spent, busy = [], time.process_time()
        for seed in range(seeds):
            for task in Task.objects.filter(task_id__in=DIFFICULTIES[difficulty]):
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
