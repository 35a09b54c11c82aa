"""GroupTravelBench as Caravan asks for it."""

from __future__ import annotations

from benchmark.core.events import Kinds
from benchmark.suites.base import Suite

SUITE = Suite(name="grouptravel", kinds=Kinds())
