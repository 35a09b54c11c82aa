"""The six rules in which the `paper` profile is stricter than the published implementation, one a file.

Five look at a plan, two of them at what tools returned as well; the sixth, `trials`, belongs to aggregation.
"""

from benchmark.scoring.strict.background import Background
from benchmark.scoring.strict.children import child_without_adult
from benchmark.scoring.strict.costs import cost_mismatch
from benchmark.scoring.strict.finding import REASONS, Finding, StrictCheck, Unchecked
from benchmark.scoring.strict.nights import double_booked_night
from benchmark.scoring.strict.restaurants import restaurant_hours
from benchmark.scoring.strict.services import unmatched_service

STRICT_CHECKS: tuple[StrictCheck, ...] = (
    restaurant_hours,
    cost_mismatch,
    double_booked_night,
    child_without_adult,
    unmatched_service,
)

__all__ = ["REASONS", "STRICT_CHECKS", "Background", "Finding", "StrictCheck", "Unchecked"]
