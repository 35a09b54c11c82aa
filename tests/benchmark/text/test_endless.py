"""No text keeps a reader for ever, whatever a model that is stuck may write."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests import ROOT

from .endless import READERS

PATIENCE_S = 800
"""On the clock; the child's own limit is of the processor."""


@pytest.fixture(scope="module")
def child_output(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the child said until it was through, or until its time was over."""
    out = tmp_path_factory.mktemp("endless") / "out"
    with out.open("w") as file:
        try:
            subprocess.run(
                [sys.executable, "-m", "tests.benchmark.text.endless"],
                cwd=ROOT,
                env={**os.environ, "PYTHONUTF8": "1"},
                stdout=file,
                stderr=subprocess.STDOUT,
                timeout=PATIENCE_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            file.write("\ntime is over")
    return out.read_text("utf-8")


@pytest.mark.parametrize("reader", READERS)
def test_a_reader_comes_to_the_end_of_every_text(reader: str, child_output: str) -> None:
    """In a child process: an expression that backtracks holds the interpreter, so that nothing in
    the same process could end it. The limit of its processor time tells a hang from work; how fast
    a reader is, is for the benches.
    """
    assert f"{reader} is done\n" in child_output, child_output[-2_000:]
