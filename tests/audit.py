"""`make audit`: which pins have known vulnerabilities, by pip-audit. Nothing of what is looked at is installed.

It asks PyPI, then OSV where PyPI does not know all pins. What neither could be asked of is told and ends with 3: no
answer is no clean bill.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests import ROOT

PINS = ("requirements.txt", "requirements-telemetry.txt", "requirements-figures.txt", "requirements-dev.txt")
SERVICES = ("pypi", "osv")
VULNERABLE, NO_ANSWER = 1, 3


@dataclass(frozen=True, slots=True)
class Report:
    """What one service says. answers: the pins that it knows; gaps: those that it does not.

    vulnerabilities: a line each.
    """

    answers: frozenset[str]
    gaps: frozenset[str]
    vulnerabilities: tuple[str, ...]


def read_report(told: Mapping[str, Any]) -> Report:
    """Read the JSON of pip-audit."""
    asked, skipped, lines = set(), set(), []
    for pin in told["dependencies"]:
        (skipped if "skip_reason" in pin else asked).add(pin["name"])
        for each in pin.get("vulns", ()):
            mended = ", ".join(each.get("fix_versions", ())) or "no version yet"
            lines.append(f"{pin['name']} {pin['version']}: {each['id']}, mended in {mended}")
    return Report(frozenset(asked), frozenset(skipped), tuple(lines))


def verdict(reports: Sequence[Report]) -> int:
    """Print what the services say together. Returns the exit code."""
    lines = sorted({line for report in reports for line in report.vulnerabilities})
    asked = frozenset().union(*(report.answers for report in reports))
    unknown = frozenset().union(*(report.gaps for report in reports)) - asked
    print("\n".join(lines) or f"{len(asked)} pins have no known vulnerability.")
    if unknown or not asked:
        print(
            f"Nothing is known of {len(unknown) or 'all'} pins: ask again where PyPI or OSV can be reached."
        )
    return VULNERABLE if lines else NO_ANSWER if unknown or not asked else 0


def audit(service: str) -> Report | None:
    """What a service says; None where it can't be asked."""
    pins = [part for name in PINS for part in ("-r", str(ROOT / name))]
    command = [sys.executable, "-m", "pip_audit", "--require-hashes", "--disable-pip", "-f", "json"]
    options = ["--progress-spinner", "off", "-s", service]
    done = subprocess.run([*command, *options, *pins], capture_output=True, text=True, check=False)
    try:
        return read_report(json.loads(done.stdout))
    except ValueError:
        print(f"{service} can't be asked: {(done.stderr.strip().splitlines() or ['?'])[-1][:200]}")
        return None


def main() -> int:
    """Ask one service after the other, until one knows all pins."""
    reports: list[Report] = []
    for service in SERVICES:
        report = audit(service)
        if report is not None:
            reports.append(report)
            if not report.gaps:
                break
    return verdict(reports)


if __name__ == "__main__":
    sys.exit(main())
