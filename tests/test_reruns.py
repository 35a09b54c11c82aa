"""What ran twice is told with its reason."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import ROOT

ONCE_WRONG = """
import pytest
times = []

def test_in_its_call():
    times.append("call")
    assert len(times) > 1, "the page was not there yet"

def test_always_right(request):
    counting = type(request.config.failures_db).__name__
    assert counting == "StatusDB" or not hasattr(request.config, "workerinput"), "asked the first process"
"""


PLUGINS = ("-p", "pytest_rerunfailures", "-p", "tests.reruns")
ENVIRONMENT = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
"""All plugins that are installed take longer to load than these tests."""
XDIST = ("-p", "xdist.plugin", "-n", "1")


@pytest.mark.parametrize("processes", [(), XDIST], ids=["in one process", "beside others"])
def test_the_log_ends_with_what_ran_twice_and_why(tmp_path: Path, processes: tuple[str, ...]) -> None:
    (tmp_path / "test_once_wrong.py").write_text(ONCE_WRONG)
    options = ("-q", *PLUGINS, "--reruns", "1", "-c", "/dev/null", *processes)
    command = [sys.executable, "-m", "pytest", *options, f"--rootdir={tmp_path}", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    told = done.stdout.partition("ran twice")[2]
    assert "docs/flaky.md" in told
    assert "test_in_its_call (call" in told
    assert "test_once_wrong.py:7: AssertionError: the page was not there yet" in told
    assert "test_always_right" not in told


def test_what_ran_once_is_not_told(tmp_path: Path) -> None:
    (tmp_path / "test_right.py").write_text("def test_right(): pass\n")
    command = [sys.executable, "-m", "pytest", "-q", *PLUGINS, "--reruns", "1"]
    done = subprocess.run(
        [*command, "-c", "/dev/null", f"--rootdir={tmp_path}", str(tmp_path)],
        cwd=ROOT,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "ran twice" not in done.stdout
