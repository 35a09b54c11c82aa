"""The rules in which the `paper` profile is stricter than the published implementation, one a file.

All but one look at a plan, some of them at what else the record tells; `trials` belongs to aggregation. The paper's
timeline of a day, legs included, is the published one.
"""

from benchmark.suites.grouptravel.scoring.strict.answers import STAT_COUNTS
from benchmark.suites.grouptravel.scoring.strict.background import Background
from benchmark.suites.grouptravel.scoring.strict.children import child_without_adult
from benchmark.suites.grouptravel.scoring.strict.costs import cost_mismatch
from benchmark.suites.grouptravel.scoring.strict.finding import REASONS, Finding, StrictCheck, Unchecked
from benchmark.suites.grouptravel.scoring.strict.nights import double_booked_night
from benchmark.suites.grouptravel.scoring.strict.required_legs import missing_required_leg
from benchmark.suites.grouptravel.scoring.strict.restaurants import restaurant_hours
from benchmark.suites.grouptravel.scoring.strict.services import unmatched_service
from benchmark.suites.grouptravel.scoring.strict.uncosted import uncosted_item

STRICT_CHECKS: tuple[StrictCheck, ...] = (
    restaurant_hours,
    cost_mismatch,
    double_booked_night,
    child_without_adult,
    unmatched_service,
    uncosted_item,
    missing_required_leg,
)

__all__ = ["REASONS", "STAT_COUNTS", "STRICT_CHECKS", "Background", "Finding", "StrictCheck", "Unchecked"]
