"""A second benchmark needs its own folder and one line in the list of suites."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar, cast

import pytest

from benchmark.core.engine import Conversation, run
from benchmark.core.events import (
    DraftWithdrawn,
    EventBody,
    ParticipantJoined,
    SessionFinished,
    SessionStart,
    ToolReturned,
)
from benchmark.core.participant import OverModel
from benchmark.core.setting import Setting
from benchmark.core.view import AGENT
from benchmark.metrics import Metric
from benchmark.models import Model, Reply
from benchmark.suites import UnknownSuite, load_body, suite_named
from sandbox.toolbox import world_tools
from sandbox.worlds import World as Places
from tests.benchmark.agents.cast import ScriptedModel, calling
from tests.toysuite.events import PLAYER, NumberDealt
from tests.toysuite.rules import ToyState
from tests.toysuite.scoring import SCORING
from tests.toysuite.suite import SUITE
from tests.toysuite.tools import COUNTING
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session
from webapp.sessions.scoring import outdated_sessions, record_of, rescore

B = TypeVar("B", bound=EventBody)


def bodies(game: Conversation[ToyState], kind: type[B]) -> list[B]:
    return [event.body for event in game.events if isinstance(event.body, kind)]


def play_game(
    number: int, rounds: int = 5, *, agent: str = "asker", model: Model | None = None
) -> Conversation[ToyState]:
    """A whole game, by the suite's own parts alone."""
    suite = suite_named("toy")
    task = suite.tasks.files.task({"task_id": "t1", "number": number, "rounds": rounds})
    kinds = {AGENT: agent, **dict.fromkeys(task.users, "knower")}
    joined = [ParticipantJoined(seat=seat, kind=kind) for seat, kind in kinds.items()]
    players = {seat: suite.play.cast().at(seat)[kind] for seat, kind in kinds.items()}
    setting = Setting(read_task=lambda: task, language="en")
    contexts = {seat: suite.play.seat_context(setting, seat, COUNTING) for seat in players}
    seats = {
        seat: player.make(contexts[seat], model)
        if isinstance(player, OverModel)
        else player.make(contexts[seat])
        for seat, player in players.items()
    }
    tools = world_tools(cast(Places, None), "en", COUNTING)  # counting needs no world
    opening = suite.play.opening(task, SessionStart(seats=joined))
    return run(Conversation(suite.play.rules), seats, tools, opening.bodies)


def test_a_game_runs_through_the_cores_loop_to_its_end() -> None:
    game = play_game(3)
    assert [message.content for message in game.state.messages] == [
        *("Is it 1?", "no", "Is it 2?", "no"),
        *("Is it 3?", "yes"),
    ]
    assert game.state.final_event == SessionFinished(reason="number_found")
    assert [event.seq for event in game.events] == list(range(1, len(game.events) + 1))


def test_a_game_ends_when_the_questions_are_spent() -> None:
    game = play_game(9, rounds=2)
    assert game.state.final_event == SessionFinished(reason="questions_spent")
    assert game.state.round == 2
    assert game.state.messages[-1].content == "no"


def test_the_agent_never_sees_the_number() -> None:
    game = play_game(3)
    assert game.view(AGENT).view().number is None  # type: ignore[attr-defined]
    assert game.view(PLAYER).view().number == 3  # type: ignore[attr-defined]
    assert game.view(PLAYER).view().tool_log == ()


def counting(after: int) -> Reply:
    return calling(("next_number", f'{{"after": {after}}}'))


def next_number_call(after: int) -> str:
    return f'Action: next_number\nAction Input: {{"after": {after}}}'


@pytest.mark.parametrize(
    ("agent", "replies", "withdrawn", "told"),
    [
        ("llm", [counting(0), "Is it 1?", counting(1), "Is it 2?"], [], "Ask about the next number."),
        (
            "react",
            [next_number_call(0), "Answer: Is it 1?", next_number_call(1), "Answer: Is it 2?"],
            [],
            "Ask about the next",
        ),
        ("direct", ["Is it 1?", "Is it 2?"], [], "Write the whole plan now, and nothing else."),
        ("zero_shot_cot", ["One is first: Is it 1?", "Is it 2?"], [], "Think step by step"),
        ("llm_modulo", ["Is it 1?", "Is it 1?", "Is it 2?"], ["critique"], "Repair these faults"),
        (
            "reflexion",
            ["Answer: Is it 1?", "Answer: Is it 1?", "I forgot.", "Answer: Is it 2?"],
            ["critique", "reflection"],
            "You have asked that.",
        ),
    ],
)
def test_every_way_of_using_a_model_plays_it(
    agent: str, replies: list[Reply | str], withdrawn: list[str], told: str
) -> None:
    model = ScriptedModel(replies)
    game = play_game(2, agent=agent, model=model)
    assert game.state.final_event == SessionFinished(reason="number_found")
    assert len(model.requests) == len(replies)
    assert [body.why for body in bodies(game, DraftWithdrawn)] == withdrawn
    assert [body.result for body in bodies(game, ToolReturned)] == (
        ['{"number":1}', '{"number":2}'] if agent in ("llm", "react") else []
    )
    system, *chat = (str(message["content"]) for message in model.requests[-1].messages)
    assert system.startswith("You are Agent.") and told in "\n".join(chat)
    assert ("The number after a number" in system) == (agent in ("react", "reflexion"))
    assert bool(model.requests[0].tools) == (agent == "llm")


@pytest.mark.django_db
def test_a_worker_plays_a_game_to_its_end(session: Session) -> None:
    assert (session.suite, session.status, session.completion_reason) == ("toy", "finished", "number_found")
    assert whole_log(session.pk)[-1].body == SessionFinished(reason="number_found")
    assert record_of(session)["said"][-1] == [PLAYER, "yes"]


@pytest.mark.django_db
def test_a_game_is_scored_by_the_suites_own_rules(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    score = session.scores.get()
    assert (score.profile, score.code_version) == ("plain", "1")
    assert score.figures["evidence"] == {"asked": ["Is it 1?", "Is it 2?", "Is it 3?"]}
    assert list(session.values.values_list("profile", "rater", "key", "value")) == [
        ("plain", "", "questions", 3.0)
    ]
    assert not outdated_sessions().exists()
    later = replace(SUITE, scoring=replace(SUITE.scoring, code_version="2"))
    monkeypatch.setattr("tests.toysuite.suite.SUITE", later)
    assert list(outdated_sessions()) == [session]
    assert rescore(session_id=session.pk) and session.scores.get().code_version == "2"


def test_a_kind_belongs_to_its_benchmark() -> None:
    assert load_body("toy", "number_dealt", 1, {"number": 3}) == NumberDealt(number=3)
    with pytest.raises(KeyError, match="card_dealt"):
        load_body("toy", "card_dealt", 1, {"user": "User1", "card": {}})
    with pytest.raises(KeyError, match="number_dealt"):
        load_body("grouptravel", "number_dealt", 1, {"number": 3})
    with pytest.raises(UnknownSuite):
        load_body("chess", "message_posted", 1, {"role": "Agent", "content": "e4"})


@pytest.mark.parametrize("key", ["questions", "calls", "hits"])
def test_a_metric_takes_no_key_that_has_a_meaning_already(key: str) -> None:
    """A run's own figures stand under these keys beside those of the benchmark."""
    with pytest.raises(ValueError, match=f"these keys of metrics are taken: {key}"):
        replace(SCORING, metrics=(*SCORING.metrics, Metric(key=key, label="Again", name="again")))
