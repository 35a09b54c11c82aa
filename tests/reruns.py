"""A pytest plugin that ends the log with the tests that ran twice, each with what went wrong the first time."""

from __future__ import annotations

import pytest
from pytest_rerunfailures import StatusDB

FLAKY_DOCUMENT = "docs/flaky.md"


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Have each process count its own reruns.

    pytest-rerunfailures asks the first process about each test over a socket, byte by byte, so that a test whose
    process crashed can run again: each test waits 40 ms for that. Here a crash is a failure.
    """
    if hasattr(config, "workerinput"):
        config.failures_db = StatusDB()  # type: ignore[attr-defined]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print them, where there are any."""
    reports = terminalreporter.getreports("rerun")
    if not reports:
        return
    terminalreporter.section(f"ran twice ({FLAKY_DOCUMENT} says what is known of them)")
    for report in reports:
        terminalreporter.write_line(f"{report.nodeid} ({report.when}, {report.duration:.1f} s)")
        for line in reason_of(report).splitlines():
            terminalreporter.write_line(f"    {line}")


def reason_of(report: pytest.TestReport) -> str:
    """The error's message and the line it was raised at; what was captured is left out."""
    crash = getattr(report.longrepr, "reprcrash", None)
    return f"{crash.path}:{crash.lineno}: {crash.message}" if crash else str(report.longrepr)
