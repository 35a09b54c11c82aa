"""What becomes of a user's words: a pass, a message, a compromise, or another try (appendix A.6)."""

from __future__ import annotations

from benchmark.core.events import EventBody, MessagePosted, TurnPassed
from benchmark.suites.grouptravel.conversation.markers import (
    Marker,
    find_marker,
    is_pass,
    resolve_path,
    value_at,
    without_trailing_pass,
)
from benchmark.suites.grouptravel.conversation.state import ATTEMPTS, QUOTA, SessionState
from benchmark.suites.grouptravel.events import CompromiseApplied, MarkerAttempted, Verdict
from benchmark.suites.grouptravel.preferences import cities, is_schema_path


def user_said(state: SessionState, user: str, content: str) -> list[EventBody]:
    """The events that a user's utterance makes, in the turn in progress."""
    text = without_trailing_pass(content)
    if is_pass(text):
        return [TurnPassed(user=user)]
    marker = find_marker(text)
    if marker is None:
        return [MessagePosted(role=user, content=text)]
    if state.opening is not None and state.opening.protocol == "paper":
        return _paper(state, user, marker)
    return _apply_published_rules(state, user, marker)


def _last_try(state: SessionState) -> bool:
    return state.turn is not None and state.turn.attempt >= ATTEMPTS


def _apply_published_rules(state: SessionState, user: str, marker: Marker) -> list[EventBody]:
    """Unsolicited and unresolvable markers are asked for again; on the third try only the path and quota decide."""
    last = _last_try(state)
    if state.addressee != user and not last:
        return [_attempt(state, user, marker, "unsolicited")]
    if state.applied_counts[user] >= QUOTA:
        refused = _attempt(state, user, marker, "over_quota")
        return [refused, _message_of(user, marker)] if last else [refused]
    path = resolve_path(state.tables[user], marker.path)
    if path is None:
        failed = _attempt(state, user, marker, "unresolvable", logged=True)
        return [failed, _message_of(user, marker)] if last else [failed]
    return _accept(state, user, marker, path)


def _paper(state: SessionState, user: str, marker: Marker) -> list[EventBody]:
    """An invalid marker is never applied; after the third try the words are kept without it."""
    path = resolve_path(state.tables[user], marker.path)
    verdict = _paper_verdict(state, user, path)
    if verdict == "accepted" and path is not None:
        return _accept(state, user, marker, path)
    failed = _attempt(state, user, marker, verdict, logged=verdict == "unresolvable")
    return [failed, _message_of(user, marker)] if _last_try(state) else [failed]


def _paper_verdict(state: SessionState, user: str, path: str | None) -> Verdict:
    if state.addressee != user:
        return "unsolicited"
    if not state.cards[user].compromisable:
        return "not_allowed"
    if state.applied_counts[user] >= QUOTA:
        return "over_quota"
    if path is None:
        return "unresolvable"
    known = cities(state.cards[user].preference)
    return "accepted" if is_schema_path(path, known) else "unknown_field"


def _accept(state: SessionState, user: str, marker: Marker, path: str) -> list[EventBody]:
    was = value_at(state.tables[user], path)
    number = state.events + 1
    return [
        _attempt(state, user, marker, "accepted"),
        CompromiseApplied(user=user, path=path, value=marker.value, was=was, event=number),
        _message_of(user, marker),
    ]


def _attempt(
    state: SessionState, user: str, marker: Marker, verdict: Verdict, *, logged: bool = False
) -> MarkerAttempted:
    return MarkerAttempted(
        user=user,
        marker=marker.raw,
        path=marker.path,
        value=marker.value,
        verdict=verdict,
        logged=logged,
        event=state.events + 1,
        said="" if verdict == "accepted" else f"{marker.text}\n{marker.raw}".strip(),
    )


def _message_of(user: str, marker: Marker) -> MessagePosted:
    return MessagePosted(role=user, content=marker.text)
