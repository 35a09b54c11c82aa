"""From a run record and a catalogue to its figures, with evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from benchmark.itineraries.extraction import plan_in_history
from benchmark.preferences.tables import FieldValues, filled_by_city
from benchmark.scoring.catalogue import Catalogue
from benchmark.scoring.completeness import compare
from benchmark.scoring.fairness import fairness
from benchmark.scoring.profile import PROFILES, Profile
from benchmark.scoring.splits import Split, splits
from benchmark.scoring.trip import Trip, prepare
from benchmark.scoring.utility import Point
from benchmark.scoring.validity import Issue

_NO_PLAN = {"gu": None, "gu_total": None, "gf": None, "pv": None, "pv_issue_counts": None}


def score_record(
    record: Mapping[str, Any], catalogue: Catalogue, profile: str = "published"
) -> dict[str, Any]:
    """The figures of one run record, and `evidence` for each of them.

    Always: task_id, trial_id, pc (0 to 1), gu, gu_total, gf (0 to 100), pv, pv_issue_counts; null where there is no
    figure (a crashed run or one without a reference table has none, a run without a plan has only pc). With pc also
    per_user_completeness {user: [found, possible]}; with a plan also per_user_utility, split_penalty, pv_issues.
    evidence: {} or {completeness, utility: [point], splits, validity: [issue]}, as far as there are figures.

    Raises KeyError for an unknown profile, and nothing for any plan, however broken.
    """
    rules = PROFILES[profile]
    ids = {"task_id": record.get("task_id"), "trial_id": record.get("trial_id")}
    wanted = _wanted(record)
    if not record.get("success", True) or not wanted:
        return {**ids, "pc": None, **_NO_PLAN, "evidence": {}}
    known = compare(wanted, record.get("agent_preference_table"))
    figures: dict[str, Any] = {
        **ids,
        "pc": known.recall,
        **_NO_PLAN,
        "per_user_completeness": known.per_user(),
    }
    evidence: dict[str, Any] = {"completeness": known.evidence()}
    plan = plan_in_history(record.get("conversation_history")) if record.get("plan_generated") else None
    if plan is not None:
        found = _score_trip(prepare(plan, _users(record, wanted), catalogue), wanted, rules)
        evidence |= found.pop("evidence")
        figures |= found
    return {**figures, "evidence": evidence}


def _score_trip(trip: Trip, wanted: Mapping[str, FieldValues], rules: Profile) -> dict[str, Any]:
    points = {user: _points(user, held, trip, rules) for user, held in wanted.items()}
    utility = {user: sum([point["points"] for point in found]) for user, found in points.items()}
    apart = splits(trip)
    penalty = sum(split.penalty for split in apart)
    issues = [issue for check in rules.checks for issue in check(trip)]
    total = sum(utility.values()) - penalty
    return {
        "gu": round(total / len(wanted), 2),
        "gu_total": total,
        "gf": fairness([utility.get(user, 0) for user in trip.users]),
        "pv": not issues,
        "pv_issue_counts": dict(Counter(issue.type for issue in issues)),
        "per_user_utility": utility,
        "split_penalty": penalty,
        "pv_issues": [issue.published() for issue in issues],
        "evidence": _evidence(points, apart, issues),
    }


def _points(user: str, wanted: FieldValues, trip: Trip, rules: Profile) -> list[Point]:
    points: list[Point] = []
    for rule in rules.points:
        points += rule(user, wanted, trip)
    return points


def _evidence(points: dict[str, list[Point]], apart: list[Split], issues: list[Issue]) -> dict[str, Any]:
    return {
        "utility": [point for found in points.values() for point in found],
        "splits": [split._asdict() for split in apart],
        "validity": [issue.evidence() for issue in issues],
    }


def _wanted(record: Mapping[str, Any]) -> dict[str, FieldValues]:
    """The effective table of each user who has one."""
    reference = record.get("effective_preferences")
    entries = reference.items() if isinstance(reference, dict) else ()
    tables = {user: entry.get("preference") for user, entry in entries if isinstance(entry, dict)}
    return {user: filled_by_city(table) for user, table in tables.items() if isinstance(table, dict)}


def _users(record: Mapping[str, Any], wanted: Mapping[str, FieldValues]) -> tuple[str, ...]:
    """The users of the run in its order, then those who only have a table."""
    named = record.get("user_names")
    names = [name for name in named if isinstance(name, str)] if isinstance(named, list) else []
    return tuple(dict.fromkeys([*names, *wanted]))
