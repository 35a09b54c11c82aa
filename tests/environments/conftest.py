"""A starter world and a few tasks to step through."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmark.suites import suite_named
from environments import Environment
from sandbox.worlds import open_world

SUITES = ("tripbench", "tripscore", "grouptravel")


@pytest.fixture(scope="session")
def task_file(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The first two shipped tasks of a benchmark in a file: reading all takes longer than playing them."""

    def write(suite: str) -> Path:
        path = tmp_path_factory.mktemp(suite) / "tasks.jsonl"
        lines = suite_named(suite).tasks.starter[0].read_text("utf-8").splitlines(keepends=True)
        path.write_text("".join(lines[:2]), "utf-8")
        return path

    return write


@pytest.fixture(scope="session")
def environment_of(starter_pack: Path, task_file: Callable[[str], Path]) -> Callable[[str], Environment]:
    """The environment of a benchmark, made once."""
    world, known = open_world(starter_pack), dict[str, Environment]()

    def environment(suite: str) -> Environment:
        if suite not in known:
            known[suite] = Environment(suite, world, [task_file(suite)])
        return known[suite]

    return environment
