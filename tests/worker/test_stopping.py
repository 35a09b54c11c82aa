"""The launcher hears that it is to end, whatever it is doing just then."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator

import pytest

from worker.embedded import launcher


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """Put back what the launcher's handlers took the place of."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_code_that_goes_on_after_any_exception_is_ended_too(
    monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    reached = []

    def run() -> None:
        try:
            os.kill(os.getpid(), number)
            time.sleep(5)
        except Exception:
            reached.append("the exception was taken for a fault")
        reached.append("the launcher went on")

    monkeypatch.setattr(launcher, "_run", run)
    assert launcher.main() == 0
    assert reached == []
