"""GroupTravelBench as Caravan asks for it."""

from __future__ import annotations

from benchmark.suites.base import Suite
from benchmark.suites.grouptravel.events import KINDS

SUITE = Suite(name="grouptravel", kinds=KINDS)
