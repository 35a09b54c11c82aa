"""A pytest plugin that ends the log with the tests that ran twice, each with what went wrong the first time."""

from __future__ import annotations

import pytest

FLAKY_DOCUMENT = "docs/flaky.md"


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
