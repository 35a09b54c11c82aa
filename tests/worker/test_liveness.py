"""When the launcher takes its worker for silent."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from worker import liveness
from worker.embedded import launcher
from worker.embedded.launcher import Address, Installation


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    """One that was started just now, and whose worker is any process."""
    running = Installation(Address("127.0.0.1", 1), tmp_path, tmp_path)
    running.worker.command = ["sleep", "600"]
    liveness.forget()
    running.worker.start()
    yield running
    running.worker.kill()
    liveness.forget()


def _age(seconds: float) -> None:
    liveness.mark_alive()
    then = time.time() - seconds
    os.utime(liveness.liveness_file(), (then, then))


def test_a_worker_that_starts_slowly_is_waited_for(installation: Installation) -> None:
    first = installation.worker.pid
    installation.worker.started_at -= 2 * launcher.SILENT_S
    installation.watch_worker()
    assert installation.worker.pid == first
    installation.worker.started_at -= launcher.START_S
    installation.watch_worker()
    assert installation.worker.pid != first


def test_a_worker_that_hears_nothing_is_started_again_and_then_given_time(installation: Installation) -> None:
    first = installation.worker.pid
    _age(launcher.SILENT_S - 5)
    installation.watch_worker()
    assert installation.worker.pid == first
    _age(launcher.SILENT_S + 5)
    installation.watch_worker()
    second = installation.worker.pid
    assert second != first
    installation.watch_worker()
    assert installation.worker.pid == second, "what the one before heard says nothing of it"
