"""How far places are from each other."""

from __future__ import annotations

import math

from sandbox.worlds.geo import Point

EARTH_RADIUS_KM = 6371.0
"""As the papers' formulas have it; maps of the sandbox measure with the mean radius, 6371.0088 km."""


def great_circle_km(a: Point, b: Point) -> float:
    """Kilometres between two points as the crow flies (haversine, a sphere of 6371 km)."""
    lat_a, lat_b = math.radians(a[1]), math.radians(b[1])
    half = (
        math.sin((lat_b - lat_a) / 2) ** 2
        + math.cos(lat_a) * math.cos(lat_b) * math.sin(math.radians(b[0] - a[0]) / 2) ** 2
    )
    return 2 * EARTH_RADIUS_KM * math.asin(min(1.0, math.sqrt(half)))
