"""A scoring profile: the named set of rules by which records are scored."""

from __future__ import annotations

from dataclasses import dataclass

from benchmark.scoring.utility import PUBLISHED_POINTS, PointRule
from benchmark.scoring.validity import PUBLISHED_CHECKS, Check


@dataclass(frozen=True, slots=True)
class Profile:
    """Which rules give points and which find issues; each is run in this order."""

    name: str
    points: tuple[PointRule, ...]
    checks: tuple[Check, ...]


PUBLISHED = Profile("published", PUBLISHED_POINTS, PUBLISHED_CHECKS)
PROFILES = {profile.name: profile for profile in (PUBLISHED,)}
