"""Threads of a command, which end their steps in flight when it is interrupted."""

from __future__ import annotations

import _thread
import threading
import time
from collections import deque
from collections.abc import Callable

import pytest

from worker import foreground
from worker.foreground import run_in_threads
from worker.lease_keeper import lease_keeper


def test_an_interruption_waits_for_the_steps_in_flight() -> None:
    assert threading.current_thread() is threading.main_thread()
    ended, seen = list[str](), list[bool]()

    def work(wanted: Callable[[], bool]) -> None:
        while wanted() and not lease_keeper().is_ending:
            time.sleep(0.01)
        time.sleep(0.5)
        seen.append(lease_keeper().is_ending)
        ended.append("step")

    interrupting = threading.Timer(0.2, _thread.interrupt_main)
    interrupting.start()
    with pytest.raises(KeyboardInterrupt):
        run_in_threads(2, work, lambda: None)
    assert ended == ["step", "step"] and seen == [True, True]
    assert not lease_keeper().is_ending


def test_what_a_thread_raises_is_raised() -> None:
    def work(wanted: Callable[[], bool]) -> None:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        run_in_threads(2, work, lambda: None)


def test_a_session_that_another_thread_takes_at_once_ends_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    left = deque(["asleep"])
    for name in ("advance", "settled", "at_rest"):
        monkeypatch.setattr(foreground, name, lambda *_, **__: False)
    monkeypatch.setattr(foreground, "_score_where_missing", lambda _: left.clear())
    monkeypatch.setattr(foreground, "AGAIN_S", 0.01)
    foreground._play_all(left, lambda: True)
    assert not left
