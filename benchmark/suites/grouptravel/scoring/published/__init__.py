"""How the published scorer reads what plans and tables should not hold: texts for lists, odd labels, texts for costs.

The rules beside this package say what is counted; only these modules know how a value of a wrong type is walked,
searched or compared. On which values the published scorer fails, `benchmark.suites.grouptravel.scoring.faults` says.
"""

from benchmark.suites.grouptravel.scoring.published.amounts import amount, budget_limit, day_limit
from benchmark.suites.grouptravel.scoring.published.people import members, party, walked
from benchmark.suites.grouptravel.scoring.published.places import (
    MISSING,
    city_of,
    day_label,
    has_activities,
    leg_name,
    mode_of,
    overlap_key,
    place_named,
    way_of,
)
from benchmark.suites.grouptravel.scoring.published.tables import with_empty_texts
from benchmark.suites.grouptravel.scoring.published.tiers import holds, items, tier

__all__ = [
    "MISSING",
    "amount",
    "budget_limit",
    "city_of",
    "day_label",
    "day_limit",
    "has_activities",
    "holds",
    "items",
    "leg_name",
    "members",
    "mode_of",
    "overlap_key",
    "party",
    "place_named",
    "tier",
    "walked",
    "way_of",
    "with_empty_texts",
]
