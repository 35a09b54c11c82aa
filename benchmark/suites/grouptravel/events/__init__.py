"""The events that only GroupTravelBench's logs hold: one small model a file, joined here."""

from __future__ import annotations

from benchmark.core.events import Kinds
from benchmark.suites.grouptravel.events.card_dealt import CardDealt
from benchmark.suites.grouptravel.events.compromise_applied import CompromiseApplied
from benchmark.suites.grouptravel.events.marker_attempted import MarkerAttempted
from benchmark.suites.grouptravel.events.plan_mended import PlanMended
from benchmark.suites.grouptravel.events.plan_proposed import PlanProposed
from benchmark.suites.grouptravel.events.session_opened import Member, SessionOpened
from benchmark.suites.grouptravel.events.table_inferred import TableInferred
from benchmark.suites.grouptravel.events.turn_granted import Place, TurnGranted, TurnKind

KINDS = Kinds(
    SessionOpened,
    CardDealt,
    TurnGranted,
    MarkerAttempted,
    CompromiseApplied,
    TableInferred,
    PlanProposed,
    PlanMended,
)

__all__ = [
    "KINDS",
    "CardDealt",
    "CompromiseApplied",
    "MarkerAttempted",
    "Member",
    "Place",
    "PlanMended",
    "PlanProposed",
    "SessionOpened",
    "TableInferred",
    "TurnGranted",
    "TurnKind",
]
