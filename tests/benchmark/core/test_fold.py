"""State is a fold: whatever happened, later events on a snapshot give what a fresh fold gives."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.core import state as core
from benchmark.core.engine import Conversation
from benchmark.core.events import Event, ModelCalled, ToolReturned, may_see
from benchmark.core.view import SIMULATOR
from benchmark.suites import DEFAULT_SUITE, load_body
from benchmark.suites.grouptravel.conversation.record import run_record
from benchmark.suites.grouptravel.conversation.rules import RULES
from benchmark.suites.grouptravel.conversation.state import SessionState, fold
from benchmark.suites.grouptravel.conversation.views import ViewFold
from benchmark.suites.grouptravel.events import TurnGranted
from benchmark.suites.grouptravel.suite import SUITE
from tests.benchmark.suites.grouptravel.conversation.play import PLAN, play_scenario, scenario
from tests.properties import examples

LINES = st.sampled_from(
    [
        "[pass]",
        "[PASS]",
        "我都可以。[pass]",
        "好",
        "@Agent 门票多少？",
        "行 [avg_budget : 1]",
        "行 [transport.must : []]",
        "行 [no.way : 1]",
        "行 [global_constraints.avg_budget : 1800",
    ]
)
AGENT_LINES = st.sampled_from(
    [
        "好",
        "@User1 预算？",
        "@User2 能放弃吗？",
        "@Agent 想想",
        '{"User1": {"a": {}}}',
        "{",
        PLAN,
        "@User1 @User2",
    ]
)
TURNS = st.builds(
    lambda say, repetitive: {"say": say, "repetitive": repetitive},
    AGENT_LINES,
    st.sampled_from([None, None, None, "multiple", "consecutive"]),
)
SCENARIOS = st.builds(
    lambda one, two, turns, converge, final, limits: scenario(
        say={"User1": one, "User2": two}, turns=turns, convergence=converge, final=final, limits=limits
    ),
    st.lists(LINES, min_size=1, max_size=8),
    st.lists(LINES, min_size=1, max_size=8),
    st.lists(TURNS, min_size=1, max_size=8),
    st.lists(AGENT_LINES, min_size=1, max_size=4),
    st.lists(AGENT_LINES, min_size=1, max_size=3),
    st.tuples(st.integers(0, 5), st.integers(1, 4)),
)


def as_dict(state: SessionState) -> dict[str, Any]:
    return copy.deepcopy(vars(state))


@settings(max_examples=examples(60))
@given(case=SCENARIOS, data=st.data(), protocol=st.sampled_from(["published", "paper"]))
def test_a_snapshot_plus_later_events_equals_a_fresh_fold(case: Any, data: Any, protocol: str) -> None:
    events = play_scenario(case, protocol).events
    cut = data.draw(st.integers(0, len(events)))
    snapshot = copy.deepcopy(fold(events[:cut]))
    for event in events[cut:]:
        snapshot.apply(event)
    assert as_dict(snapshot) == as_dict(fold(events))


@settings(max_examples=examples(60))
@given(case=SCENARIOS, protocol=st.sampled_from(["published", "paper"]))
def test_every_conversation_ends_and_its_log_has_no_gap(case: Any, protocol: str) -> None:
    log = play_scenario(case, protocol)
    assert [event.seq for event in log.events] == list(range(1, len(log.events) + 1))
    assert [event.body.type for event in log.events].count("session_finished") == 1
    assert log.events[-1].body.type == "session_finished"
    assert run_record(log.events)["total_events"] == log.state.events


@settings(max_examples=examples(40))
@given(case=SCENARIOS, protocol=st.sampled_from(["published", "paper"]))
def test_a_view_comes_from_what_its_owner_may_see_and_from_nothing_else(case: Any, protocol: str) -> None:
    events = play_scenario(case, protocol).events
    for name in ("User1", "User2", "Agent"):
        mine = [event for event in events if may_see(name, event.audience)]
        growing, alone = ViewFold(name), ViewFold(name)
        for event in events:
            growing.apply(event)
        for event in mine:
            alone.apply(event)
        if any(isinstance(event.body, TurnGranted) and event.body.speaker == name for event in mine):
            assert growing.view() == alone.view()
            assert alone.view().protocol == protocol
        assert "card" not in [k for e in mine if e.audience != f"user:{name}" for k in e.body.model_dump()]


def test_no_traveller_receives_a_tool_call_a_card_of_another_or_a_note() -> None:
    secret = {
        "card_dealt",
        "tool_called",
        "tool_returned",
        "agent_noted",
        "table_inferred",
        "message_withheld",
    }
    secret |= {"marker_attempted", "compromise_applied", "error_raised", "passed"}
    turn = {"say": "好", "repetitive": "consecutive"}
    case = scenario(
        say={"User1": ["行 [avg_budget : 1]"], "User2": ["[pass]"]}, turns=[turn, "好"], limits=(3, 5)
    )
    events = play_scenario(case).events
    for_two = [event for event in events if may_see("User2", event.audience)]
    theirs = {event.body.type for event in for_two if event.audience != "user:User2"}
    assert theirs & secret == set()
    assert not [
        e
        for e in for_two
        if isinstance(e.body, TurnGranted) and e.body.is_repeat and e.body.speaker != "User2"
    ]


@settings(max_examples=examples(30))
@given(case=SCENARIOS)
def test_every_event_survives_storage(case: Any) -> None:
    for event in play_scenario(case).events:
        stored = json.loads(json.dumps(event.body.model_dump(mode="json", exclude={"type"})))
        assert load_body(DEFAULT_SUITE, event.body.type, type(event.body).version, stored) == event.body


@pytest.mark.parametrize(("wrong", "source", "kind"), [(False, "world", ""), (True, "none", "arguments")])
def test_a_tools_answer_of_version_1_is_read(wrong: bool, source: str, kind: str) -> None:
    """As released first: the world answered, and an error was one of the call."""
    stored = {"call_id": "c1", "result": "[]", "error": wrong, "source": "world", "latency_ms": 1.5}
    body = load_body(DEFAULT_SUITE, "tool_returned", 1, stored)
    assert isinstance(body, ToolReturned)
    assert (body.error, body.source, body.error_kind, body.mode) == (wrong, source, kind, "world")


def test_what_a_simulator_failed_at_is_over_with_the_tools_answer() -> None:
    """The next request to a model has its whole patience again."""
    case = scenario(say={"User1": ["好"]}, turns=[{"say": "好", "repetitive": "consecutive"}], limits=(3, 5))
    events = play_scenario(case).events
    at = next(i for i, event in enumerate(events) if isinstance(event.body, ToolReturned))
    state = fold(events[:at])
    failed = ModelCalled(
        seat=SIMULATOR,
        endpoint="e",
        model="m",
        outcome="timeout",
        latency_ms=5.0,
        retry_in_s=60.0,
        request="",
    )
    state.apply(Event(at + 1, "tools", failed.audience(), failed, events[at].at))
    assert (state.failing.attempts, state.failing.seconds) == (1, 60.0)
    answer = events[at].body
    state.apply(Event(at + 2, "tools", answer.audience(), answer, events[at].at))
    assert (state.failing.attempts, state.failing.seconds) == (0, 0.0)


def test_each_kind_of_event_has_a_fold() -> None:
    """In the core's fold or in the suite's; the kind itself, or the shared one that it says more than."""
    folds = vars(core.SessionState)["_fold_shared"], vars(SessionState)["_fold"]
    handled = {kind for fold in folds for kind in fold.dispatcher.registry} - {object}
    assert [kind for kind in SUITE.play.kinds.values() if not issubclass(kind, tuple(handled))] == []


def test_a_conversation_goes_on_from_any_moment_as_if_nothing_had_happened() -> None:
    """Participants hold no state: with a fresh fold before each step the log is the same."""
    case = scenario(say={"User1": ["好"], "User2": ["[pass]"]}, turns=["@User1 好？", PLAN], limits=(4, 5))
    whole = play_scenario(case)
    rebuilt = Conversation(RULES)
    for event in whole.events:
        rebuilt.apply(Event(event.seq, event.actor, event.audience, event.body, event.at))
    assert as_dict(rebuilt.state) == as_dict(whole.state)
