"""Plan validity (PV): a plan is valid when no check finds an issue (GroupTravelBench, appendix A.8)."""

from benchmark.suites.grouptravel.scoring.validity.checks import (
    hotel_nights,
    invalid_participants,
    invalid_times,
    local_transport,
    missing_avg_cost,
    missing_intercity_transport,
    outside_opening_hours,
    time_overlap,
    timeline_order_violation,
)
from benchmark.suites.grouptravel.scoring.validity.issue import MENDS, MESSAGES, Check, Issue, words

PUBLISHED_CHECKS: tuple[Check, ...] = (
    missing_intercity_transport,
    hotel_nights,
    invalid_times,
    time_overlap,
    outside_opening_hours,
    local_transport,
    timeline_order_violation,
    missing_avg_cost,
    invalid_participants,
)
"""In the order in which the published figures list their issues."""

__all__ = ["MENDS", "MESSAGES", "PUBLISHED_CHECKS", "Check", "Issue", "words"]
