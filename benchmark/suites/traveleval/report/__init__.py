"""The reports of TravelEval."""

from __future__ import annotations

from benchmark.reports import Reporting
from benchmark.suites.traveleval.scoring.sessions import FAILURES

REPORTING = Reporting(endings=("planned", "no_plan"), issues=FAILURES)
