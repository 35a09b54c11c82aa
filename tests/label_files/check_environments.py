"""Environments as trainers step through them: TRL's GRPO with GTPO's advantages, in process and over HTTP."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from benchmark.suites import suite_named
from tests import ROOT

SCRIPT = Path(__file__).parent / "trl_trainer.py"
TOKEN = "a-token-for-the-check"


def train(folder: Path, *place: str) -> dict[str, Any]:
    """What the script prints. Where episodes are in its process, Caravan's libraries come after the trainer's."""
    python = os.environ.get("CARAVAN_TRAINING_PYTHON")
    if not python:
        pytest.skip("the programs are not here: make test-training")
    suite = suite_named("tripbench")
    task = suite.tasks.files.whole(suite.tasks.starter[0])[0].task
    answers = [json.dumps(task.witness, ensure_ascii=False), "I shall see."]
    (folder / "answers.json").write_text(json.dumps(answers), "utf-8")
    start = f"import sys; sys.path.insert(0, {str(ROOT)!r}); "
    if len(place) == 1:
        start += f"sys.path.append({sysconfig.get_path('purelib')!r}); "
    start += f"sys.argv = sys.argv[1:]; exec(compile(open({str(SCRIPT)!r}).read(), {str(SCRIPT)!r}, 'exec'))"
    offline = {**os.environ, "HF_HUB_OFFLINE": "1"}
    command = [python, "-c", start, "-", str(folder), task.task_id, *place]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=offline, cwd=folder)
    assert done.returncode == 0, done.stderr[-3000:]
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


@contextmanager
def serve_episodes(pack: Path) -> Iterator[str]:
    """The address of a server of two actions an episode."""
    command = ["-m", "environments.server", "--suite", "tripbench", "--world", str(pack), "--most-steps", "2"]
    own = {**os.environ, "CARAVAN_ENVIRONMENT_TOKEN": TOKEN}
    process = subprocess.Popen(
        [sys.executable, *command, "--port", "0"], env=own, cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().split(": ")[0]
    finally:
        process.terminate()
        process.wait(30)


def test_trl_takes_a_step_through_the_environment_in_process(tmp_path: Path, starter_pack: Path) -> None:
    told = train(tmp_path, str(starter_pack))
    steps = [line for line in told["log"] if "loss" in line]
    assert len(steps) == 1 and told["changed"] > 0, steps
    assert steps[0]["reward"] > 0 and steps[0]["reward_std"] > 0


def test_trl_takes_two_steps_through_the_environment_over_http(tmp_path: Path, starter_pack: Path) -> None:
    with serve_episodes(starter_pack) as url:
        told = train(tmp_path, url, TOKEN)
    steps = [line for line in told["log"] if "loss" in line]
    assert len(steps) == 2 and told["changed"] > 0
