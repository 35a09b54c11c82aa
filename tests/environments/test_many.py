"""Several episodes at once, as the bench plays hundreds of them."""

from __future__ import annotations

from pathlib import Path

from sandbox.worlds import open_world
from tests.bench.environments import measure_suite


def test_episodes_at_once_keep_whole_logs(starter_pack: Path, tmp_path: Path) -> None:
    measure, faults = measure_suite(
        "tripscore", open_world(starter_pack), tmp_path, episodes=6, answer_s=0.01, rounds=1, tasks=2
    )
    assert (measure.ended, measure.steps, faults) == (6, 6, [])
    assert len([*tmp_path.iterdir()]) == 6
