"""A session in memory, recorded and run again from its cassette through the engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from benchmark.cassettes import Cassette, CassetteModel, CassetteTools, first_difference
from benchmark.core.engine import Conversation
from benchmark.core.events import (
    ErrorRaised,
    MessagePosted,
    ModelCalled,
    SessionFinished,
    ToolReturned,
)
from benchmark.models import ModelFailure, Reply
from tests.benchmark.cassettes.script import ANSWERS, PROMPT, SETUP, play, recorded_cassette


@pytest.fixture(scope="module")
def cassette() -> Cassette:
    return recorded_cassette()


def model_calls(talked: Conversation) -> Callable[[], int]:
    return lambda: talked.state.model_calls


def tool_results(talked: Conversation) -> Callable[[], int]:
    return lambda: sum(isinstance(event.body, ToolReturned) for event in talked.events)


def replay_cassette(cassette: Cassette, prompt: str = PROMPT) -> Conversation:
    return play(
        lambda seat, talked: CassetteModel(SETUP, cassette, seat, model_calls(talked)),
        lambda talked: CassetteTools(cassette, tool_results(talked)),
        prompt,
    )


def test_a_cassette_plays_the_same_session_again(cassette: Cassette) -> None:
    again = replay_cassette(cassette)
    assert first_difference(cassette.log, again.events) is None
    assert again.state.model_calls == len(cassette.exchanges) > 10
    assert {e.body.type for e in again.events} >= {"tool_returned", "draft_withdrawn", "thought_kept"}


def test_what_is_recorded_has_failures_and_batches_of_tools_in_it(cassette: Cassette) -> None:
    assert [e.failure.kind for e in cassette.exchanges if e.failure] == ["rate_limit"]
    steps = [e.body.step for e in cassette.log if e.body.type == "tool_called"]  # type: ignore[union-attr]
    assert len(steps) > len(set(steps))
    assert {r.answer.error_kind for r in cassette.tool_results if r.answer} == {"", "backend"}


def test_a_changed_prompt_departs_at_the_first_call_that_it_concerns(cassette: Cassette) -> None:
    again = replay_cassette(cassette, PROMPT.replace("one traveller", "two travellers"))
    raised = next(e.body for e in again.events if isinstance(e.body, ErrorRaised))
    assert raised.detail == (
        "Mismatch: model call 1 (Agent) departs from the recording: message 1 of role system differs at line 2: "
        "recorded “Ask one traveller at a time.”, now “Ask two travellers at a time.”"
    )
    found = first_difference(cassette.log, again.events)
    assert str(found) == (
        f"event {raised_at(again)} (model_called), type: recorded “model_called”, now “error_raised”"
    )


def raised_at(talked: Conversation) -> int:
    return next(e.seq for e in talked.events if isinstance(e.body, ErrorRaised))


def test_a_cassette_that_is_too_short_says_so(cassette: Cassette) -> None:
    again = replay_cassette(replace(cassette, exchanges=cassette.exchanges[:5]))
    raised = next(e.body for e in again.events if isinstance(e.body, ErrorRaised))
    assert raised.detail == (
        "EndOfCassette: model call 6 (Agent) departs from the recording: "
        "the cassette is at its end, it holds 5 model calls"
    )


def test_an_answer_that_is_exchanged_shows_in_the_events(cassette: Cassette) -> None:
    spoken = next(e.seq for e in cassette.log if isinstance(e.body, MessagePosted) and not e.body.opening)
    one = [
        replace(e, reply=replace(e.reply, text="@User2 你呢？")) if says(e.reply) else e
        for e in cassette.exchanges
    ]
    found = first_difference(cassette.log, replay_cassette(replace(cassette, exchanges=tuple(one))).events)
    assert str(found) == (
        f"event {spoken} (message_posted), content: recorded “@User1 你想去哪里？”, now “@User2 你呢？”"
    )


def says(reply: Any) -> bool:
    return isinstance(reply, Reply) and reply.text.startswith("@User1")


def test_a_replay_that_is_cut_anywhere_goes_on_from_its_log(cassette: Cassette) -> None:
    """Models and tools made anew before each step, as after a kill: only the log tells them where they are."""

    class RemadeModel:
        def __init__(self, make: Callable[[], Any]) -> None:
            self.make, self.setup = make, SETUP

        def ask(self, request: Any) -> Reply:
            answer: Reply = self.make().ask(request)
            return answer

    again = play(
        lambda seat, talked: RemadeModel(lambda: CassetteModel(SETUP, cassette, seat, model_calls(talked))),
        lambda talked: CassetteTools(cassette, tool_results(talked)),
    )
    assert first_difference(cassette.log, again.events) is None


def test_the_opening_is_all_before_the_first_turn(cassette: Cassette) -> None:
    assert [e.body.type for e in cassette.opening] == [
        "session_opened",
        *["card_dealt"] * 2,
        *["message_posted"] * 2,
    ]


def test_a_recorded_stop_ends_the_replay_where_it_stood(cassette: Cassette) -> None:
    cut = next(e for e in cassette.log if isinstance(e.body, ModelCalled) and e.seq > 20).seq
    stopped = replace(cassette.log[cut], actor="researcher", body=SessionFinished(reason="stopped"))
    short = replace(cassette, log=(*cassette.log[:cut], stopped))
    assert short.ending_at(cut - 1) is None
    made = short.ending_at(cut)
    assert made is not None
    assert (made.actor, made.bodies) == ("researcher", (SessionFinished(reason="stopped"),))


def test_a_recorded_crash_is_given_again_only_where_nothing_more_was_recorded(cassette: Cassette) -> None:
    crash = (
        ErrorRaised(where="Agent, polled", kind="runtime_error", detail="CacheError: gone"),
        SessionFinished(reason="runtime_error"),
    )
    events = [replace(e, actor="system", body=b) for e, b in zip(cassette.log[10:12], crash, strict=True)]
    short = replace(cassette, log=(*cassette.log[:10], *events), exchanges=())
    assert short.ending_at(10) is None
    assert short.ending_at(10, ValueError("a fault of ours")) is None
    with pytest.raises(RuntimeError) as end:
        CassetteModel(SETUP, short, "Agent", lambda: 0).ask(cassette.exchanges[0].request)
    made = short.ending_at(10, end.value)
    assert made is not None and made.bodies == crash


def test_a_failure_comes_back_as_it_was(cassette: Cassette) -> None:
    failed = next(e for e in cassette.exchanges if e.failure)
    model = CassetteModel(SETUP, cassette, failed.seat, lambda: failed.number - 1)
    with pytest.raises(ModelFailure, match="429: slow down") as raised:
        model.ask(failed.request)
    assert isinstance(ANSWERS[1], ModelFailure)
    assert vars(raised.value) == vars(ANSWERS[1])
