"""Conversations of sets of training: where turns end, and which are too long for a model's context."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from benchmark.advantages.gtpo import raw_reward
from benchmark.core.events import Event, ModelCalled, TurnGranted
from benchmark.core.view import AGENT
from benchmark.exports.talks import read_talk
from benchmark.exports.training import TURN_FIGURES, Candidate, TrainingCounts, training_rows
from benchmark.models import Usage
from benchmark.suites.tripbench.modes import NO_ISSUE
from benchmark.suites.tripbench.scoring.sessions import PUBLISHED, score_session
from benchmark.suites.tripbench.training import turns_of
from tests.benchmark.suites.tripbench.talks import GOOD, STARS, talk, task_of


def long_second_turn() -> tuple[list[Event], Any]:
    """Two turns, of which the first has no plan, and the second takes 900 tokens."""
    task = task_of([{"id": "a", **STARS}], [{"id": "b", **STARS}])
    conversation, setting = talk(task, "Wait.", GOOD, mode=NO_ISSUE)
    call = ModelCalled(seat=AGENT, endpoint="e", tokens=Usage(prompt=800, completion=100))
    events = list(conversation.events)
    at = max(at for at, event in enumerate(events) if isinstance(event.body, TurnGranted))
    events[at] = replace(events[at], body=call)
    return events, score_session(conversation.events, setting)[PUBLISHED].evidence


def test_a_turn_that_is_too_long_is_masked_and_counts_for_nothing() -> None:
    events, evidence = long_second_turn()
    turns = turns_of(evidence)
    whole, cut = (read_talk(events, "[]", turns, context) for context in (900, 899))
    assert [raw_reward(turn) for turn in whole.turns] == [0, 1]
    assert [turn.is_complete for turn in cut.turns] == [True, False]
    assert [(said.turn, said.is_agents) for said in cut.messages] == [(1, True), (2, False), (2, True)]
    pair = [
        Candidate(f"s{n}", "t", n, [], "x", 1.0 - n, True, talk=talk) for n, talk in enumerate((whole, cut))
    ]
    rows = list(training_rows("rollouts", pair, "any", TrainingCounts()))
    assert [[turn["mask"] for turn in row["turns"]] for row in rows] == [[1, 1], [1, 0]]
    assert [row["message_mask"] for row in rows] == [[1, 0, 1], [1, 0, 0]]
    assert rows[1]["turns"][1] == {"turn": 2, "mask": 0, **dict.fromkeys(TURN_FIGURES)}


def test_where_only_sessions_are_rewarded_every_turn_has_the_advantage_of_its_session() -> None:
    talk = read_talk(long_second_turn()[0], "[]")
    pair = [Candidate(f"s{n}", "t", n, [], "x", float(n), True, talk=talk) for n in (0, 2)]
    rows = list(training_rows("rollouts", pair, "any", TrainingCounts()))
    assert [turn["grpo"] for turn in rows[1]["turns"]] == [rows[1]["advantage"]] * 2
    assert {turn["gtpo"] for row in rows for turn in row["turns"]} == {None}
    assert [row["message_mask"] for row in rows] == [[1, 0, 1]] * 2
