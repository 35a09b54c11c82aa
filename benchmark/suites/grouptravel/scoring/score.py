"""Score a run record: its figures, with the evidence for each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.itineraries.extraction import last_plan
from benchmark.suites.grouptravel.preferences import FieldValues, filled_by_city
from benchmark.suites.grouptravel.scoring.catalogue import Catalogue
from benchmark.suites.grouptravel.scoring.completeness import Completeness, compare
from benchmark.suites.grouptravel.scoring.evidence import elicitation, fairness_evidence
from benchmark.suites.grouptravel.scoring.fairness import fairness
from benchmark.suites.grouptravel.scoring.faults import faults_in
from benchmark.suites.grouptravel.scoring.leniency import mode_of, with_empty_texts
from benchmark.suites.grouptravel.scoring.paper import Background, UncheckedPart
from benchmark.suites.grouptravel.scoring.profile import PROFILES, Profile
from benchmark.suites.grouptravel.scoring.run_record import RunRecord, read_record
from benchmark.suites.grouptravel.scoring.splits import Split, splits
from benchmark.suites.grouptravel.scoring.trip import Trip, prepare
from benchmark.suites.grouptravel.scoring.utility import Point
from benchmark.suites.grouptravel.scoring.validity import Issue

_NO_PLAN = {"gu": None, "gu_total": None, "gf": None, "pv": None, "pv_issue_counts": None}


def score_record(
    record: Mapping[str, Any], catalogue: Catalogue, profile: str = "published"
) -> dict[str, Any]:
    """The figures of one run record, and `evidence` for each of them.

    The figures are those of `figures_of`. evidence: {} or {completeness, utility: [point], splits, validity: [issue],
    not_checkable, fairness}, as far as there are figures; plain JSON in an order that depends on the record alone.

    Raises KeyError for an unknown profile, and nothing for any plan, however broken.
    """
    return score_with_trip(read_record(record), catalogue, profile)[0]


def score_with_trip(
    record: RunRecord, catalogue: Catalogue, profile: str = "published"
) -> tuple[dict[str, Any], Trip | None]:
    """As `score_record`, and the plan that was scored; None if the record has no plan."""
    rules = PROFILES[profile]
    read = _read(record, catalogue)
    score = _with_evidence(_score(read, rules), read, _completeness_evidence(record, read))
    return score, read.plan_read[0] if read.plan_read is not None else None


def scores_by_profile(record: Mapping[str, Any], catalogue: Catalogue) -> dict[str, dict[str, Any]]:
    """As `score_record`, by the name of each profile. What the profiles have in common is computed once."""
    told = read_record(record)
    read = _read(told, catalogue)
    shared = _completeness_evidence(told, read)
    return {name: _with_evidence(_score(read, rules), read, shared) for name, rules in PROFILES.items()}


def figures_of(record: Mapping[str, Any], catalogue: Catalogue, profile: str = "published") -> dict[str, Any]:
    """The figures of one run record, without evidence (GroupTravelBench, section 4).

    Always: task_id, trial_id, pc (0 to 1), gu and gu_total (points), gf (0 to 100), pv (true or false),
    pv_issue_counts. A figure is None if it does not exist: a crashed session and one without a reference table have
    none, a session without a plan has only pc. With pc also per_user_completeness {user: [found, possible]}; with a
    plan also per_user_utility, split_penalty and pv_issues. If the published scorer fails on values of the record,
    warnings lists them as [{field, reason}] (see `FAULTS`).

    Raises:
        KeyError: there is no such profile.
    """
    rules = PROFILES[profile]
    return _score(_read(read_record(record), catalogue), rules).figures


class _Read(NamedTuple):
    """A record before the rules of a profile are applied."""

    figures: dict[str, Any]
    # The filled reference tables by user, and the same as the rules of utility compare them.
    references: dict[str, FieldValues]
    compared_tables: dict[str, FieldValues]
    # The users whose utility counts for the group.
    counted_users: list[str]
    # What the agent learned of the tables; None if nothing is scored.
    completeness: Completeness | None = None
    # The plan, with the rest of the record that some rules need; None without a plan.
    plan_read: tuple[Trip, Background] | None = None


class _PlanFindings(NamedTuple):
    """The findings of the rules in one plan.

    scores, points: by user, also of users without a table. utility: the scores of the users who count for the group.
    """

    trip: Trip
    scores: dict[str, int]
    utility: dict[str, int]
    points: dict[str, list[Point]]
    splits: list[Split]
    issues: list[Issue]
    unchecked_parts: list[UncheckedPart]


class _ScoredRecord(NamedTuple):
    figures: dict[str, Any]
    plan_findings: _PlanFindings | None


def _read(record: RunRecord, catalogue: Catalogue) -> _Read:
    ids = {"task_id": record.task_id, "trial_id": record.trial_id}
    wanted = {user: filled_by_city(own.table) for user, own in record.references.items()}
    if record.crashed or not wanted:
        return _Read({**ids, "pc": None, **_NO_PLAN}, wanted, wanted, [])
    counted = [u for u in record.users if u in wanted and record.references[u].counted]
    known = compare(wanted, record.beliefs)
    figures = {**ids, "pc": known.recall, **_NO_PLAN, "per_user_completeness": known.per_user()}
    said = [message.content for message in record.messages if message.role == AGENT]
    plan = last_plan(said) if record.plan_generated else None
    if plan is None:
        figures |= _warnings(record, wanted, known, None, catalogue)
        return _Read(figures, wanted, wanted, counted, known)
    trip = prepare(plan, record.users, catalogue)
    figures |= _warnings(record, wanted, known, trip, catalogue)
    stated = _compared_tables(wanted, record, trip)
    return _Read(figures, wanted, stated, counted, known, (trip, Background(record)))


def _compared_tables(wanted: dict[str, FieldValues], record: RunRecord, trip: Trip) -> dict[str, FieldValues]:
    """The filled tables; with their empty texts if a leg has the mode "", which the published scorer matches."""
    if all(mode_of(leg) != "" for _, leg in trip.legs):
        return wanted
    return {user: with_empty_texts(filled, record.references[user].table) for user, filled in wanted.items()}


def _warnings(
    record: RunRecord,
    wanted: Mapping[str, FieldValues],
    known: Completeness,
    trip: Trip | None,
    catalogue: Catalogue,
) -> dict[str, Any]:
    believed = {user: completeness.beliefs for user, completeness in known.users.items()}
    warnings = [fault._asdict() for fault in faults_in(record, wanted, believed, trip, catalogue)]
    return {"warnings": warnings} if warnings else {}


def _score(read: _Read, rules: Profile) -> _ScoredRecord:
    if read.plan_read is None:
        return _ScoredRecord(read.figures, None)
    planned = _apply(rules, *read.plan_read, read)
    return _ScoredRecord(read.figures | _plan_figures(planned), planned)


def _completeness_evidence(record: RunRecord, read: _Read) -> dict[str, Any]:
    if read.completeness is None:
        return {}
    users = elicitation(record, read.references, read.completeness.users)
    return {"completeness": {**read.completeness.figures(), "users": users}}


def _with_evidence(scored: _ScoredRecord, read: _Read, completeness: Mapping[str, Any]) -> dict[str, Any]:
    plan = _plan_evidence(scored.plan_findings, read.references) if scored.plan_findings is not None else {}
    return {**scored.figures, "evidence": {**completeness, **plan}}


def _apply(rules: Profile, trip: Trip, background: Background, read: _Read) -> _PlanFindings:
    points = {user: _points(user, read.compared_tables.get(user, {}), trip, rules) for user in trip.users}
    scores = {
        user: sum([point["points"] for point in points_of_user]) for user, points_of_user in points.items()
    }
    utility = {user: scores[user] for user in read.counted_users}
    issues = [issue for check in rules.checks for issue in check(trip)]
    findings = [finding for rule in rules.record_checks for finding in rule(trip, background)]
    issues += [finding for finding in findings if isinstance(finding, Issue)]
    unchecked = [finding for finding in findings if isinstance(finding, UncheckedPart)]
    return _PlanFindings(trip, scores, utility, points, splits(trip), issues, unchecked)


def _plan_figures(planned: _PlanFindings) -> dict[str, Any]:
    penalty = sum(split.penalty for split in planned.splits)
    total = sum(planned.utility.values()) - penalty
    return {
        "gu": round(total / (len(planned.utility) or 1), 2),
        "gu_total": total,
        "gf": fairness(planned.scores.values()),
        "pv": not planned.issues,
        "pv_issue_counts": _count_by_type(planned.issues),
        "per_user_utility": planned.utility,
        "split_penalty": penalty,
        "pv_issues": [issue.as_published() for issue in planned.issues],
    }


def _count_by_type(issues: Sequence[Issue]) -> dict[str, int]:
    """By their first appearance. Making a `Counter` takes longer than this."""
    counts: dict[str, int] = {}
    for issue in issues:
        counts[issue.type] = counts.get(issue.type, 0) + 1
    return counts


def _plan_evidence(planned: _PlanFindings, wanted: Mapping[str, FieldValues]) -> dict[str, Any]:
    return {
        "utility": [point for user in planned.utility for point in planned.points[user]],
        "splits": [split._asdict() for split in planned.splits],
        "validity": [issue.evidence(planned.trip.users) for issue in planned.issues],
        "not_checkable": [part._asdict() for part in planned.unchecked_parts],
        "fairness": fairness_evidence(planned.scores, planned.points, wanted, planned.trip),
    }


def _points(user: str, wanted: FieldValues, trip: Trip, rules: Profile) -> list[Point]:
    points: list[Point] = []
    for rule in rules.points:
        points += rule(user, wanted, trip)
    return points
