"""The rules in which the `paper` profile is stricter than the published implementation.

All but one look at a plan, some of them at what else the record tells; `over_all_trials` belongs to aggregation. The
paper's timeline of a day, legs included, is the published one.
"""

from benchmark.suites.grouptravel.scoring.paper.background import (
    REASONS,
    Background,
    PaperCheck,
    UncheckedPart,
)
from benchmark.suites.grouptravel.scoring.paper.costs import cost_mismatch, unmatched_service
from benchmark.suites.grouptravel.scoring.paper.feasible import (
    Tolerances,
    infeasible_transport,
    overlap_with_lodging,
)
from benchmark.suites.grouptravel.scoring.paper.rules import (
    child_without_adult,
    double_booked_night,
    missing_required_leg,
    restaurant_hours,
    uncosted_item,
)

PAPER_CHECKS: tuple[PaperCheck, ...] = (
    restaurant_hours,
    cost_mismatch,
    double_booked_night,
    child_without_adult,
    unmatched_service,
    uncosted_item,
    missing_required_leg,
    infeasible_transport(Tolerances()),
    overlap_with_lodging,
)

__all__ = ["PAPER_CHECKS", "REASONS", "Background", "PaperCheck", "Tolerances", "UncheckedPart"]
