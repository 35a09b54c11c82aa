"""Misses folded over a run, and wasted steps."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.core.events import (
    DraftWithdrawn,
    Event,
    EventBody,
    MessagePosted,
    MessageWithheld,
    ToolCalled,
    ToolReturned,
)
from benchmark.misses import Miss, SessionMisses, ToolFailure, Waste, WastedTurn, find_waste, fold_misses
from tests.properties import examples

AT = datetime(2026, 1, 1, tzinfo=UTC)


def log(*bodies: EventBody) -> list[Event]:
    return [Event(seq, "system", "all", body, AT) for seq, body in enumerate(bodies, 1)]


def call(id_: str, city: str) -> ToolCalled:
    return ToolCalled(call_id=id_, name="search", arguments={"city": city, "n": 1}, step=1)


def test_steps_that_bring_nothing_new_are_wasted() -> None:
    found = find_waste(
        log(
            MessagePosted(role="Agent", content="hello", opening=True),
            call("1", "A"),
            ToolReturned(call_id="1", result="{}"),
            call("2", "A"),
            ToolReturned(call_id="2", result="{}"),
            call("3", "B"),
            ToolReturned(call_id="3", result="no", error_kind="arguments"),
            call("4", "B"),
            ToolReturned(call_id="4", result="{}"),
            MessagePosted(role="User1", content="yes"),
            MessagePosted(role="Agent", content="Where to?"),
            MessagePosted(role="Agent", content=" Where to?\n"),
            MessagePosted(role="Agent", content="\n"),
            DraftWithdrawn(speaker="User1", content="x", why="leak"),
            DraftWithdrawn(speaker="Agent", content="x", why="faulty"),
            MessageWithheld(content="x", why="empty"),
        )
    )
    assert found == Waste(
        9,
        (
            WastedTurn(4, "repeated_call", "search"),
            WastedTurn(6, "failed_call", "search"),
            WastedTurn(12, "repeated_message"),
            WastedTurn(13, "empty_message"),
            WastedTurn(15, "refused_draft"),
            WastedTurn(16, "refused_draft"),
        ),
    )


def session(name: str, *misses: Miss, waste: Waste = Waste(1, ())) -> SessionMisses:  # noqa: B008  # it never changes
    return SessionMisses(name, f"task {name}", 0, misses, waste)


def test_a_group_has_its_share_its_sessions_and_what_shows_it() -> None:
    failure = ToolFailure(3, "search", "arguments")
    folded = fold_misses(
        [
            session(
                "a",
                Miss("gu", "must", "never_asked", 2.0, seqs=(9,)),
                Miss("gu", "must", "never_asked", 1.0),
                Miss("pv", "closed", "tool_failed", 1.0, failures=(failure, failure)),
            ),
            session("b", Miss("gu", "must", "dropped", 4.0), waste=Waste(3, (WastedTurn(5, "failed_call"),))),
            session("c", Miss("gu", "prefer", "never_asked", 1.0)),
        ],
        ("gu", "pv", "pc"),
    )
    gu, pv = folded.losses
    assert (gu.metric, gu.points, pv.metric) == ("gu", 8.0, "pv")
    assert [(c.cause, c.share, c.count, c.sessions) for c in gu.causes] == [
        ("never_asked", 0.5, 3, 2),
        ("dropped", 0.5, 1, 1),
    ]
    assert [(g.key, g.share, g.count) for g in gu.groups] == [
        ("gu.dropped.must", 0.5, 1),
        ("gu.never_asked.must", 0.375, 2),
        ("gu.never_asked.prefer", 0.125, 1),
    ]
    group = folded.group("gu.never_asked.must")
    assert group is not None and [member.session.session_id for member in group.members] == ["a"]
    assert folded.group("gu.never_asked.nothing") is None
    assert folded.failures == [(("search", "arguments"), [("closed", 1)])]
    assert (folded.steps, folded.waste[0].count, folded.waste[0].share) == (5, 1, 0.2)


misses = st.builds(
    Miss,
    st.sampled_from(("gu", "pv")),
    st.sampled_from("xy"),
    st.sampled_from("abc"),
    st.floats(0, 100, allow_nan=False),
)


@settings(max_examples=examples(30), deadline=None)
@given(st.lists(st.lists(misses, max_size=6), max_size=5))
@pytest.mark.parametrize("metrics", [("gu", "pv")])
def test_shares_of_what_was_lost_add_up(metrics: Sequence[str], of_sessions: list[list[Miss]]) -> None:
    folded = fold_misses([session(str(n), *own) for n, own in enumerate(of_sessions)], metrics)
    for lost in folded.losses:
        for parts in (lost.groups, lost.causes):
            assert sum(part.points for part in parts) == pytest.approx(lost.points)
            assert sum(part.share for part in parts) == pytest.approx(1 if lost.points else 0)
    assert sum(group.count for lost in folded.losses for group in lost.groups) == sum(map(len, of_sessions))
