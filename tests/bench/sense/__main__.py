"""The counts over many sessions: `python -m tests.bench.sense`, with `--cases` what was wrong, in words."""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import benchmark.suites.grouptravel.tasks
from benchmark.suites.grouptravel.scoring.catalogue import Catalogue
from benchmark.suites.grouptravel.scoring.score import score_record
from benchmark.suites.grouptravel.tasks import TASK_FILES, Task
from sandbox.worlds import World, open_world
from sandbox.worlds.china10 import import_china10
from sandbox.worlds.starter import build_starter
from tests import ROOT
from tests.bench.data import reference_folder
from tests.bench.sense.counting import Counts, Session, count
from tests.bench.sense.playing import play, transcript
from tests.bench.sense.tasks import made_tasks


def sessions(folder: Path, seeds: int, made: int) -> Iterator[tuple[Task, World, int]]:
    """Tasks with their worlds: the starter tasks in both languages, ours over the ten cities, and made ones."""
    starter = folder / "starter.world"
    build_starter(starter)
    shipped = Path(benchmark.suites.grouptravel.tasks.__file__).parent / "data"
    sets = [
        (shipped / "starter.jsonl", open_world(starter)),
        (shipped / "starter_en.jsonl", open_world(starter)),
    ]
    source = reference_folder() / "china10"
    if source.is_dir():
        ten = folder / "china10.world"
        import_china10(source, ten, "china10")
        sets.append((Path(ROOT) / "tests" / "data" / "china10_tasks.jsonl", open_world(ten)))
        yield from ((task, open_world(ten), 0) for task in made_tasks(open_world(ten), made))
    for seed in range(seeds):
        yield from ((read.task, world, seed) for path, world in sets for read in TASK_FILES.whole(path))


def main() -> None:
    """Plays, counts, and prints the sums with the means of the published figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--made", type=int, default=21)
    parser.add_argument("--transcripts", type=Path)
    parser.add_argument("--cases", action="store_true")
    options = parser.parse_args()
    counts, scores = Counts(), []
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        for task, world, seed in sessions(Path(folder), options.seeds, options.made):
            session = Session(task, play(task, world, seed), world)
            count(session, counts)
            scores.append(score_record(session.record, Catalogue(world.catalogue())))
            if options.transcripts:
                options.transcripts.mkdir(parents=True, exist_ok=True)
                (options.transcripts / f"{task.task_id}_{seed}.txt").write_text(transcript(session))
    for name, number in sorted(counts.sums.items()):
        print(f"{number:6} {name}")
    for name in ("pc", "gu", "gf"):
        print(f"{statistics.fmean(score[name] or 0 for score in scores):.3f} mean {name}")
    print(f"{sum(not score['pv_issues'] for score in scores)} of {len(scores)} plans valid")
    print(f"{(time.perf_counter() - begun) / len(scores):.2f} s a session")
    if options.cases:
        print("\n".join(counts.cases))


if __name__ == "__main__":
    main()
