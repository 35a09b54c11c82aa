"""On which values the published scorer fails: there it gives no figure, and those given here are this product's own.

Each such value counts as empty, and is reported by the name of its field.
"""

from __future__ import annotations

from benchmark.suites.grouptravel.scoring.catalogue import Catalogue
from benchmark.suites.grouptravel.scoring.faults.beliefs import belief_faults
from benchmark.suites.grouptravel.scoring.faults.fault import FAULTS, Fault
from benchmark.suites.grouptravel.scoring.faults.plans import PlanFaults
from benchmark.suites.grouptravel.scoring.faults.references import reference_faults
from benchmark.suites.grouptravel.scoring.run_record import RunRecord
from benchmark.suites.grouptravel.scoring.trip import Trip

__all__ = ["FAULTS", "faults_in"]


def faults_in(record: RunRecord, trip: Trip | None, catalogue: Catalogue) -> list[Fault]:
    """Every such value of a record that has figures; trip: its plan, None without one."""
    found = [*belief_faults(record), *reference_faults(record.references, trip)]
    if trip is not None:
        found += PlanFaults.of(record.references, trip, catalogue).found()
    return found
