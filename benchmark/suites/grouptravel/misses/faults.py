"""What is wrong with a plan, with which plan it began, and which failed calls came before."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from benchmark.core.events import ToolCalled, ToolReturned
from benchmark.misses import Miss, ToolFailure
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
    calls, sources = _Calls(session), Sources(session.log)
    began = _first_versions(session) if issues else {}
    for issue in issues:
        start = began.get(_key(issue))
        seqs = session.plan_seq
        failures = calls.failures_about(issue["location"], start or session.log[-1].seq)
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


class _Calls:
    """The failed calls of a log, by what they name."""

    def __init__(self, session: LostSession) -> None:
        self._session = session

    @cached_property
    def _failures(self) -> list[tuple[ToolFailure, str]]:
        calls: dict[str, ToolCalled] = {}
        failed = []
        for event in self._session.log:
            if isinstance(event.body, ToolCalled):
                calls[event.body.call_id] = event.body
            elif isinstance(event.body, ToolReturned) and event.body.error and event.body.call_id in calls:
                call = calls[event.body.call_id]
                failure = ToolFailure(event.seq, call.name, event.body.error_kind)
                failed.append((failure, json.dumps(call.arguments, ensure_ascii=False)))
        return failed

    def failures_about(self, location: str, before: int) -> tuple[ToolFailure, ...]:
        """Those before an event whose arguments name a place, or both cities of a leg."""
        names = [name for name in location.split(" → ") if len(name) > 1]
        if not names:
            return ()
        return tuple(
            [
                failure
                for failure, arguments in self._failures
                if failure.seq < before and all(name in arguments for name in names)
            ]
        )
