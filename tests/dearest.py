"""A pytest plugin that tells which directories of tests took longest, what was set up apart from what was called."""

from __future__ import annotations

from collections import defaultdict
from pathlib import PurePath

import pytest

ROW_LIMIT = 10
_seconds_by_directory: dict[str, dict[str, float]] = defaultdict(lambda: {"setup": 0.0, "call": 0.0})


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Count a phase of a test for its directory; what is torn down counts as setup."""
    folder = str(PurePath(report.nodeid.partition("::")[0]).parent)
    _seconds_by_directory[folder]["call" if report.when == "call" else "setup"] += report.duration


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the dearest directories."""
    dearest = sorted(_seconds_by_directory.items(), key=lambda one: -sum(one[1].values()))[:ROW_LIMIT]
    terminalreporter.section("dearest directories: seconds on the clock, setup + call")
    for folder, seconds in dearest:
        terminalreporter.write_line(f"{seconds['setup']:8.1f} + {seconds['call']:8.1f}  {folder}")
