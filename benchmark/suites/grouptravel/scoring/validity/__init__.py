"""Plan validity (PV): a plan is valid when no check finds an issue (GroupTravelBench, appendix A.8)."""

from benchmark.suites.grouptravel.scoring.validity.cities import missing_intercity_transport
from benchmark.suites.grouptravel.scoring.validity.costs import missing_avg_cost
from benchmark.suites.grouptravel.scoring.validity.hotels import hotel_nights
from benchmark.suites.grouptravel.scoring.validity.hours import outside_opening_hours
from benchmark.suites.grouptravel.scoring.validity.issue import MENDS, MESSAGES, Check, Issue, words
from benchmark.suites.grouptravel.scoring.validity.people import invalid_participants
from benchmark.suites.grouptravel.scoring.validity.positions import local_transport
from benchmark.suites.grouptravel.scoring.validity.times import (
    invalid_times,
    time_overlap,
    timeline_order_violation,
)

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
