"""A second benchmark needs its own folder and one line in the list of suites."""

from __future__ import annotations

import pytest

from benchmark.core.engine import Conversation, run
from benchmark.core.events import ParticipantJoined, SessionFinished
from benchmark.core.state import folded
from benchmark.core.view import AGENT
from benchmark.suites import SUITES, UnknownSuite, load_body, suite_named
from tests.toysuite.events import PLAYER, NumberDealt
from tests.toysuite.players import Counting
from tests.toysuite.rules import ToyState
from tests.toysuite.suite import TOY
from webapp.catalogue.models import Task, World
from webapp.sessions.log import row_of, whole_log
from webapp.sessions.models import Event, Session
from webapp.sessions.scoring import record_of


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SUITES, "toy", lambda: TOY)


def played(number: int, rounds: int = 5) -> Conversation[ToyState]:
    """A whole game, by the suite's own parts alone."""
    suite = suite_named("toy")
    task = suite.files.task({"task_id": "t1", "number": number, "rounds": rounds})
    kinds = {AGENT: "asker", **dict.fromkeys(task.users, "knower")}
    joined = [ParticipantJoined(seat=seat, kind=kind) for seat, kind in kinds.items()]
    seats = {seat: suite.cast().at(seat)[kind].make() for seat, kind in kinds.items()}
    return run(Conversation(suite.rules), seats, Counting(), suite.opening(task, joined=joined).bodies)


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
