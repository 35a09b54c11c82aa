"""A second benchmark needs its own folder and one line in the list of suites."""

from __future__ import annotations

from typing import TypeVar, cast

import pytest

from benchmark.core.engine import Conversation, run
from benchmark.core.events import DraftWithdrawn, EventBody, ParticipantJoined, SessionFinished, ToolReturned
from benchmark.core.participant import OverModel
from benchmark.core.state import folded
from benchmark.core.view import AGENT
from benchmark.models import Model, Reply
from benchmark.suites import UnknownSuite, load_body, suite_named
from sandbox.toolbox import world_tools
from sandbox.worlds import World as Places
from tests.benchmark.agents.cast import ScriptedModel, calling
from tests.toysuite.events import PLAYER, NumberDealt
from tests.toysuite.rules import ToyState
from tests.toysuite.tools import COUNTING
from webapp.catalogue.models import Task, World
from webapp.sessions.log import row_of, whole_log
from webapp.sessions.models import Event, Session
from webapp.sessions.scoring import record_of

B = TypeVar("B", bound=EventBody)


def bodies(game: Conversation[ToyState], kind: type[B]) -> list[B]:
    return [event.body for event in game.events if isinstance(event.body, kind)]


def played(
    number: int, rounds: int = 5, *, agent: str = "asker", model: Model | None = None
) -> Conversation[ToyState]:
    """A whole game, by the suite's own parts alone."""
    suite = suite_named("toy")
    task = suite.files.task({"task_id": "t1", "number": number, "rounds": rounds})
    kinds = {AGENT: agent, **dict.fromkeys(task.users, "knower")}
    joined = [ParticipantJoined(seat=seat, kind=kind) for seat, kind in kinds.items()]
    players = {seat: suite.cast().at(seat)[kind] for seat, kind in kinds.items()}
    seats = {
        seat: player.make(model) if isinstance(player, OverModel) else player.make()
        for seat, player in players.items()
    }
    tools = world_tools(cast(Places, None), "en", COUNTING)  # counting needs no world
    return run(Conversation(suite.rules), seats, tools, suite.opening(task, joined=joined).bodies)


def test_a_game_runs_through_the_cores_loop_to_its_end() -> None:
    game = played(3)
    assert [message.content for message in game.state.messages] == [
        *("Is it 1?", "no", "Is it 2?", "no"),
        *("Is it 3?", "yes"),
    ]
    assert game.state.finished == SessionFinished(reason="number_found")
    assert [event.seq for event in game.events] == list(range(1, len(game.events) + 1))


def test_a_game_ends_when_the_questions_are_spent() -> None:
    game = played(9, rounds=2)
    assert game.state.finished == SessionFinished(reason="questions_spent")
    assert game.state.round == 2
    assert game.state.messages[-1].content == "no"


def test_the_agent_never_sees_the_number() -> None:
    game = played(3)
    assert game.view(AGENT).view().number is None  # type: ignore[attr-defined]
    assert game.view(PLAYER).view().number == 3  # type: ignore[attr-defined]
    assert game.view(PLAYER).view().tool_log == ()


def counting(after: int) -> Reply:
    return calling(("next_number", f'{{"after": {after}}}'))


def written(after: int) -> str:
    return f'Action: next_number\nAction Input: {{"after": {after}}}'


@pytest.mark.parametrize(
    ("agent", "replies", "withdrawn", "told"),
    [
        ("llm", [counting(0), "Is it 1?", counting(1), "Is it 2?"], [], "Ask about the next number."),
        ("react", [written(0), "Answer: Is it 1?", written(1), "Answer: Is it 2?"], [], "Ask about the next"),
        ("direct", ["Is it 1?", "Is it 2?"], [], "Ask about the next number at once."),
        ("zero_shot_cot", ["One is first: Is it 1?", "Is it 2?"], [], "Reason, then ask"),
        ("llm_modulo", ["Is it 1?", "Is it 1?", "Is it 2?"], ["critique"], "Ask about another number."),
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
    game = played(2, agent=agent, model=model)
    assert game.state.finished == SessionFinished(reason="number_found")
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
def test_a_game_is_stored_and_opened_again(starter_tasks: list[Task], starter_world: World) -> None:
    game = played(3)
    session = Session.objects.create(
        suite="toy",
        task=starter_tasks[0],
        world=starter_world,
        pack=starter_world.pack,
        pack_hash=starter_world.pack_hash,
        agent="asker",
        users="knower",
        last_seq=len(game.events),
    )
    Event.objects.bulk_create(row_of(session.pk, event) for event in game.events)
    log = whole_log(session.pk)
    assert log == game.events
    assert vars(folded(ToyState(), log)) == vars(game.state)
    assert record_of(session)["said"][-1] == [PLAYER, "yes"]


def test_a_kind_belongs_to_its_benchmark() -> None:
    assert load_body("toy", "number_dealt", 1, {"number": 3}) == NumberDealt(number=3)
    with pytest.raises(KeyError, match="card_dealt"):
        load_body("toy", "card_dealt", 1, {"user": "User1", "card": {}})
    with pytest.raises(KeyError, match="number_dealt"):
        load_body("grouptravel", "number_dealt", 1, {"number": 3})
    with pytest.raises(UnknownSuite):
        load_body("chess", "message_posted", 1, {"role": "Agent", "content": "e4"})
