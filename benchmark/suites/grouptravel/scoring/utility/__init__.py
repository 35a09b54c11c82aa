"""Group utility (GU): what a plan is worth to each traveller, point by point."""

from benchmark.suites.grouptravel.scoring.utility.budget import budget_points
from benchmark.suites.grouptravel.scoring.utility.food import food_points
from benchmark.suites.grouptravel.scoring.utility.hotels import hotel_points
from benchmark.suites.grouptravel.scoring.utility.intensity import intensity_points
from benchmark.suites.grouptravel.scoring.utility.points import Point, PointRule
from benchmark.suites.grouptravel.scoring.utility.sights import sight_points
from benchmark.suites.grouptravel.scoring.utility.transport import transport_points

PUBLISHED_POINTS: tuple[PointRule, ...] = (
    sight_points,
    food_points,
    transport_points,
    hotel_points,
    intensity_points,
    budget_points,
)

__all__ = ["PUBLISHED_POINTS", "Point", "PointRule"]
