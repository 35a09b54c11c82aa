"""The events that only GroupTravelBench's logs hold: one small model a file, joined here."""

from __future__ import annotations

from benchmark.core.events import Kinds
from benchmark.suites.grouptravel.events.card_dealt import CardDealt
from benchmark.suites.grouptravel.events.compromise_applied import CompromiseApplied
from benchmark.suites.grouptravel.events.marker_attempted import MarkerAttempted
from benchmark.suites.grouptravel.events.plan_mended import PlanMended
from benchmark.suites.grouptravel.events.plan_proposed import PlanProposed
from benchmark.suites.grouptravel.events.table_inferred import TableInferred

KINDS = Kinds(
    PlanMended,
    PlanProposed,
    TableInferred,
    CompromiseApplied,
    MarkerAttempted,
    CardDealt,
)

__all__ = [
    "KINDS",
    "CardDealt",
    "CompromiseApplied",
    "MarkerAttempted",
    "PlanMended",
    "PlanProposed",
    "TableInferred",
]
