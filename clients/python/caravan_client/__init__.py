"""Runs, sessions, scores and reports of a Caravan installation, in Python."""

from __future__ import annotations

from .client import Caravan
from .errors import BrokenList, CaravanError, Problem, Refusal, Unreachable
from .items import Event, Judgement, Label, Run, Score, Session, Task, World
from .listing import Listing
from .report import Report, ReportTable

__all__ = [
    "BrokenList",
    "Caravan",
    "CaravanError",
    "Event",
    "Judgement",
    "Label",
    "Listing",
    "Problem",
    "Refusal",
    "Report",
    "ReportTable",
    "Run",
    "Score",
    "Session",
    "Task",
    "Unreachable",
    "World",
]
