"""`make bench`: every measurement of docs/performance.md, one after the other."""

from __future__ import annotations

import subprocess
import sys

PARTS = (
    "scoring",
    "traveleval",
    "rescoring",
    "search",
    "cache",
    "recall",
    "session",
    "models",
    "agent",
    "sense",
    "travellers",
    "imports",
    "records",
    "reports",
    "jobs",
    "tables",
    "browser",
    "overload",
    "api",
    "handshakes",
    "seats",
    "labelling",
    "annotate",
    "weights",
    "statistics",
    "synthesis",
    "environments",
)


def main() -> int:
    """Each part in a process of its own, so that none warms another."""
    failed = 0
    for part in sys.argv[1:] or PARTS:
        print(f"== {part}", flush=True)
        failed |= subprocess.call([sys.executable, "-m", f"tests.bench.{part}"])
    return failed


if __name__ == "__main__":
    sys.exit(main())
