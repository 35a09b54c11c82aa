"""One line when something goes away, and one when it is back."""

from __future__ import annotations

import logging

import pytest

from webapp.outages import Outage

log = logging.getLogger("tests.outages")


def test_it_is_said_once_and_its_end_with_the_count(caplog: pytest.LogCaptureFixture) -> None:
    outage = Outage(log, "nobody is woken")
    for _ in range(3):
        outage.report_failure("no route")
    outage.report_recovery()
    outage.report_recovery()
    assert caplog.messages == [
        "nobody is woken: no route (said once until it is over)",
        "nobody is woken: over; it happened 3 times",
    ]


def test_what_flickers_is_one_outage(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr("webapp.outages.time.monotonic", lambda: now)
    outage = Outage(log, "sessions wait", calm_s=3.0)
    for _ in range(4):
        outage.report_failure("locked")
        now += 1.0
        outage.report_recovery()
    assert len(caplog.messages) == 1
    now += 2.5
    outage.report_recovery()
    assert caplog.messages[1:] == ["sessions wait: over; it happened 4 times"]
