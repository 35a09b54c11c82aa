"""The rules in which the `paper` profile is stricter than the published implementation, one a file.

All but one look at a plan, some of them at what else the record tells; `trials` belongs to aggregation. The paper's
timeline of a day, legs included, is the published one.
"""

from benchmark.suites.grouptravel.scoring.paper.background import Background
from benchmark.suites.grouptravel.scoring.paper.children import child_without_adult
from benchmark.suites.grouptravel.scoring.paper.costs import cost_mismatch
from benchmark.suites.grouptravel.scoring.paper.finding import REASONS, PaperCheck, Unchecked
from benchmark.suites.grouptravel.scoring.paper.nights import double_booked_night
from benchmark.suites.grouptravel.scoring.paper.required_legs import missing_required_leg
from benchmark.suites.grouptravel.scoring.paper.restaurants import restaurant_hours
from benchmark.suites.grouptravel.scoring.paper.services import unmatched_service
from benchmark.suites.grouptravel.scoring.paper.uncosted import uncosted_item

PAPER_CHECKS: tuple[PaperCheck, ...] = (
    restaurant_hours,
    cost_mismatch,
    double_booked_night,
    child_without_adult,
    unmatched_service,
    uncosted_item,
    missing_required_leg,
)

__all__ = ["PAPER_CHECKS", "REASONS", "Background", "PaperCheck", "Unchecked"]
