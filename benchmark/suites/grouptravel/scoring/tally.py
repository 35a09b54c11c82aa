"""What a file of run records held, beside its figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from benchmark.suites.grouptravel.scoring.catalogue import Catalogue
from benchmark.suites.grouptravel.scoring.run_record import RunRecord
from benchmark.suites.grouptravel.scoring.trip import Trip

MOST_WARNED = 10


class FailedRecord(NamedTuple):
    """A record on which the published scorer fails. faults: [{field, reason}], the reasons keys of `FAULTS`."""

    task_id: Any
    trial_id: Any
    faults: list[dict[str, str]]


@dataclass(slots=True)
class Tally:
    """How many records there are, and for how many of them a figure has a reason other than the plan.

    crashed, without_table (no reference table) and without_plan: each record in at most one, the first that fits.
    without_belief: those with a reference table and none of the agent's.
    warned: those on which the published scorer fails; warnings: the first of them, with the fields and reasons.
    unknown_cities: the records with places in a city of which the catalogue has none, by the name of the city.
    """

    records: int = 0
    crashed: int = 0
    without_table: int = 0
    without_plan: int = 0
    without_belief: int = 0
    warned: int = 0
    warnings: list[FailedRecord] = field(default_factory=list)
    unknown_cities: Counter[str] = field(default_factory=Counter)

    def add(
        self, record: RunRecord, figures: Mapping[str, Any], trip: Trip | None, catalogue: Catalogue
    ) -> None:
        """Count a record. trip: its plan, None without one."""
        self.records += 1
        if "warnings" in figures:
            self.warned += 1
            if len(self.warnings) < MOST_WARNED:
                self.warnings.append(
                    FailedRecord(figures["task_id"], figures["trial_id"], figures["warnings"])
                )
        if record.crashed:
            self.crashed += 1
        elif figures["pc"] is None:
            self.without_table += 1
        else:
            self.without_plan += trip is None
            self.without_belief += not record.beliefs
        if trip is not None:
            self.unknown_cities.update(city for city in trip.cities() if city not in catalogue)
