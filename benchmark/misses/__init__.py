"""What sessions lost, why, and by whose hand: found by each benchmark from its own evidence, folded over runs."""

from benchmark.misses.calls import AnsweredCall, AnsweredCalls
from benchmark.misses.folding import (
    CauseShare,
    Group,
    Member,
    MetricLoss,
    RunMisses,
    SessionMisses,
    WastedKind,
    fold_misses,
)
from benchmark.misses.kinds import CAUSES, CauseWords, Finding, Miss, ToolFailure, order_misses, share_points
from benchmark.misses.waste import WASTE_KINDS, Waste, WastedTurn, find_waste

__all__ = [
    "CAUSES",
    "WASTE_KINDS",
    "AnsweredCall",
    "AnsweredCalls",
    "CauseShare",
    "CauseWords",
    "Finding",
    "Group",
    "Member",
    "MetricLoss",
    "Miss",
    "RunMisses",
    "SessionMisses",
    "ToolFailure",
    "Waste",
    "WastedKind",
    "WastedTurn",
    "find_waste",
    "fold_misses",
    "order_misses",
    "share_points",
]
