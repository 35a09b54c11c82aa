"""A scoring profile: the named set of rules by which records are scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from benchmark.metrics import Averaging
from benchmark.suites.grouptravel.scoring.paper import PAPER_CHECKS, PaperCheck
from benchmark.suites.grouptravel.scoring.paper.rules import over_all_trials
from benchmark.suites.grouptravel.scoring.utility import PUBLISHED_POINTS, PointRule
from benchmark.suites.grouptravel.scoring.validity import PUBLISHED_CHECKS, Check

CODE_VERSION = "9"
"""Raised whenever a figure or its evidence may come out differently for the same record."""


def over_scored_trials(values: Sequence[float | None]) -> float:
    """The mean over the trials of a task that have the figure; 0 when none has."""
    there = [value for value in values if value is not None]
    return fmean(there) if there else 0.0


@dataclass(frozen=True, slots=True)
class Profile:
    """Which rules give points and which find issues, each run in this order; how trials are averaged: every task
    counts.

    record_checks: checks that look at more of a record than its plan and tables.
    """

    name: str
    points: tuple[PointRule, ...]
    checks: tuple[Check, ...]
    record_checks: tuple[PaperCheck, ...]
    averaging: Averaging


BY_SCORED_TRIALS = Averaging("by scored trials", over_scored_trials)
BY_ALL_TRIALS = Averaging("by all trials", over_all_trials)
PUBLISHED_PROFILE = Profile("published", PUBLISHED_POINTS, PUBLISHED_CHECKS, (), BY_SCORED_TRIALS)
PAPER = Profile("paper", PUBLISHED_POINTS, PUBLISHED_CHECKS, PAPER_CHECKS, BY_ALL_TRIALS)
PROFILES = {profile.name: profile for profile in (PUBLISHED_PROFILE, PAPER)}
