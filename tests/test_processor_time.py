"""How much processor time a tree of processes takes."""

from __future__ import annotations

import subprocess
import sys
import time
from multiprocessing import get_context

from tests.processor_time import measure_processor_time

BURN = "import time\nend = time.process_time() + 0.3\nwhile time.process_time() < end: pass"
START_AND_LEAVE = f"import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', {BURN!r}])"


def _measure(answers: object) -> None:
    """In a process of its own, which joins the group."""
    with measure_processor_time("test") as used_s:
        subprocess.run([sys.executable, "-c", BURN], check=True)
        subprocess.run([sys.executable, "-c", START_AND_LEAVE], check=True)
        time.sleep(1.5)  # until the one that nobody waits for has ended
        answers.put(used_s())  # type: ignore[attr-defined]


def test_what_children_took_is_counted() -> None:
    context = get_context("spawn")
    answers = context.Queue()
    process = context.Process(target=_measure, args=(answers,))
    process.start()
    used_s = answers.get(timeout=60)
    process.join(60)
    assert 0.3 <= used_s < 20
