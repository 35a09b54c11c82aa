"""Distances on the ground."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from math import asin, cos, hypot, radians, sin, sqrt

EARTH_RADIUS_M = 6_371_008.8
METRES_PER_DEGREE = EARTH_RADIUS_M * radians(1)
ROUND_RADIUS_KM = 6371.0
"""As the papers' formulas have it; `distance_m` measures with the mean radius."""

Point = tuple[float, float]
"""(longitude, latitude) in degrees, in the order that tools write them."""

_COORDINATE = re.compile(r"\s*(-?\d{1,3}(?:\.\d+)?)\s*[,，]\s*(-?\d{1,3}(?:\.\d+)?)\s*", re.ASCII)


def distance_m(a: Point, b: Point) -> float:
    """Great-circle metres (haversine)."""
    half_lat, half_lon = radians(b[1] - a[1]) / 2, radians(b[0] - a[0]) / 2
    chord = sin(half_lat) ** 2 + cos(radians(a[1])) * cos(radians(b[1])) * sin(half_lon) ** 2
    return 2 * EARTH_RADIUS_M * asin(min(1.0, sqrt(chord)))


def great_circle_km(a: Point, b: Point) -> float:
    """Kilometres between two points as the crow flies (haversine, a sphere of 6371 km)."""
    lat_a, lat_b = radians(a[1]), radians(b[1])
    half = sin((lat_b - lat_a) / 2) ** 2 + cos(lat_a) * cos(lat_b) * sin(radians(b[0] - a[0]) / 2) ** 2
    return 2 * ROUND_RADIUS_KM * asin(min(1.0, sqrt(half)))


def parse_point(text: str) -> Point | None:
    """The point that "lon,lat" names, None for any other text or a place off the globe."""
    match = _COORDINATE.fullmatch(text)
    if match is None:
        return None
    longitude, latitude = float(match[1]), float(match[2])
    return (longitude, latitude) if abs(longitude) <= 180 and abs(latitude) <= 90 else None


def format_point(point: Point) -> str:
    """ "lon,lat" with up to six decimals (a tenth of a metre), no trailing zeros."""
    return ",".join(f"{degree:.6f}".rstrip("0").rstrip(".") for degree in point)


def metres_to_line(point: Point, line: Sequence[Point]) -> float:
    """Metres from a point to the nearest of the straight pieces between two or more others."""
    return min(_metres_to_segment(point, start, end) for start, end in pairwise(line))


def metres_aside(point: Point, line: Sequence[Point]) -> float:
    """How far from a line one goes to be at a point: half of what the way by the point is longer than the line.

    Where two points are all that is known of a way, its streets run somewhere between them: a place that is hardly
    out of the way lies beside it, however far from the straight line.
    """
    return min(
        (distance_m(start, point) + distance_m(point, end) - distance_m(start, end)) / 2
        for start, end in pairwise(line)
    )


def _metres_to_segment(point: Point, start: Point, end: Point) -> float:
    """On a plane about the point."""
    east = METRES_PER_DEGREE * cos(radians(point[1]))
    ax, ay = (start[0] - point[0]) * east, (start[1] - point[1]) * METRES_PER_DEGREE
    bx, by = (end[0] - point[0]) * east, (end[1] - point[1]) * METRES_PER_DEGREE
    dx, dy = bx - ax, by - ay
    squared = dx * dx + dy * dy
    along = 0.0 if squared == 0 else max(0.0, min(1.0, -(ax * dx + ay * dy) / squared))
    return hypot(ax + along * dx, ay + along * dy)
