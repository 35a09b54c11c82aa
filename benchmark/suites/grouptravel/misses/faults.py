"""What is wrong with a plan, with which plan it began, and which failed calls came before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchmark.misses import AnsweredCalls, Miss
from benchmark.suites.grouptravel.misses.reading import LostSession
from benchmark.suites.grouptravel.provenance import Sources
from benchmark.suites.grouptravel.scoring.profile import PUBLISHED_PROFILE
from benchmark.suites.grouptravel.scoring.trip import prepare

_LOOKED_UP = {"outside_opening_hours", "missing_avg_cost"}
"""Types of what a look into the world would show."""
_Key = tuple[Any, ...]


def validity_misses(session: LostSession) -> Iterator[Miss]:
    """Each issue; those of one plan share the 1 that an invalid plan loses."""
    if session.trip is None:
        if session.tables:
            yield Miss("pv", "no_plan", "no_plan", 1.0, seqs=(session.log[-1].seq,))
        return
    issues = session.evidence.get("validity", ())
    calls, sources = AnsweredCalls(session.log), Sources(session.log)
    began = _first_versions(session) if issues else {}
    for issue in issues:
        start = began.get(_key(issue))
        seqs = session.plan_seq
        failures = calls.failures_about(_names_in(issue["location"]), start or session.log[-1].seq)
        found = sources.result_with(issue["location"], start) if issue["location"] else None
        if failures:
            cause = "tool_failed"
        elif issue["type"] not in _LOOKED_UP:
            cause = "inconsistent"
        else:
            cause = "not_looked_up" if found is None else "not_kept"
        if found is not None and cause == "not_kept":
            seqs = (*seqs, found)
        who = ", ".join(issue["users"])
        words = " · ".join(filter(None, (str(issue["day"] or ""), issue["location"])))
        yield Miss("pv", issue["type"], cause, 1 / len(issues), who, words, seqs, start, failures)


def _key(issue: Mapping[str, Any]) -> _Key:
    return issue["type"], str(issue["day"]), issue["location"], tuple(issue["users"])


def _first_versions(session: LostSession) -> dict[_Key, int]:
    """With which plan each issue came up first."""
    began: dict[_Key, int] = {}
    for version in session.versions:
        trip = prepare(version.plan, session.record.users, session.catalogue)
        for check in PUBLISHED_PROFILE.checks:
            for issue in check(trip):
                began.setdefault(_key(issue.evidence(trip.users)), version.seq)
    return began


def _names_in(location: str) -> list[str]:
    """A place, or both cities of a leg."""
    return [name for name in location.split(" → ") if len(name) > 1]
