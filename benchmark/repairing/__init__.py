"""Repairing replies: a model hears what is wrong with its answer and writes it again, with the tools' answers fixed.

It is how TRIP-Bench (section 4.1) makes conversations to learn from: of trajectories that fail, tools and their
outputs stay, and only feedback on errors is given, three rounds at most.
"""

from __future__ import annotations

from benchmark.repairing.loop import (
    DROPPED,
    PROMPTS,
    REASONS,
    REPAIRED,
    REPORTED,
    ROUNDS,
    SOUND,
    Ask,
    Question,
    Repairable,
    SessionRepair,
    TurnRepair,
    repair_session,
)
from benchmark.repairing.rewriting import Unsayable, rewrite_replies
from benchmark.repairing.verdict import JudgedReply, JudgeReply, NoVerdict

__all__ = [
    "DROPPED",
    "PROMPTS",
    "REASONS",
    "REPAIRED",
    "REPORTED",
    "ROUNDS",
    "SOUND",
    "Ask",
    "JudgeReply",
    "JudgedReply",
    "NoVerdict",
    "Question",
    "Repairable",
    "SessionRepair",
    "TurnRepair",
    "Unsayable",
    "repair_session",
    "rewrite_replies",
]
