"""`make test-models`: install the server and the model, run every check, print the table.

    python -m tests.real_models [--write] [pytest's options]

--write puts the table into docs/test-models.md.
"""

from __future__ import annotations

import subprocess
import sys

from tests.real_models.installation import ROOT, install
from tests.real_models.table import RESULTS_FILE, as_markdown, rows

DOCUMENT = ROOT / "docs" / "test-models.md"
BEGINS = "<!-- table -->\n"


def main(options: list[str]) -> int:
    """Run the checks; the exit code is pytest's."""
    install()
    RESULTS_FILE.unlink(missing_ok=True)
    given = [option for option in options if option != "--write"]
    command = ["-m", "pytest", "-p", "tests.environment", "-q", "-o", "python_files=check_*.py"]
    failed = subprocess.call([sys.executable, *command, *(given or ["tests/real_models"])])
    table = as_markdown(rows())
    print(table)
    if "--write" in options and not failed:
        before = DOCUMENT.read_text().partition(BEGINS)[0]
        DOCUMENT.write_text(before + BEGINS + table)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
