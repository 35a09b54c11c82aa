"""What shows that Caravan does what it says."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""The checkout."""

SHIPPED_TASKS = ROOT / "benchmark" / "suites" / "grouptravel" / "tasks" / "data"
