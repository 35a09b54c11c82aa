"""Whole sessions over the protocol: which personality ends how."""

from __future__ import annotations

import pytest

from benchmark.agents import (
    DirectAgent,
    LlmModuloAgent,
    ReactAgent,
    ReflexionAgent,
    ZeroShotCotAgent,
)
from benchmark.core.engine import Conversation
from benchmark.core.events import DraftWithdrawn, ThoughtKept, ToolReturned
from benchmark.models import ModelFailure
from benchmark.suites.grouptravel.briefing import BRIEFING
from benchmark.suites.grouptravel.conversation.markers import mention_pattern
from benchmark.suites.grouptravel.events import PlanMended, TableInferred
from benchmark.suites.grouptravel.scoring.catalogue import Catalogue
from benchmark.suites.grouptravel.scoring.paper import Background
from benchmark.suites.grouptravel.scoring.paper.rules import uncosted_item
from benchmark.suites.grouptravel.scoring.run_record import RunRecord
from benchmark.suites.grouptravel.scoring.trip import prepare
from benchmark.suites.grouptravel.scoring.validity import PUBLISHED_CHECKS
from benchmark.suites.grouptravel.tasks import Task
from sandbox.worlds.reader import World
from tests.model_server import ModelServer
from tests.model_server.playing import HttpModel, english, llm_agent, llm_user, messages_of, play, tasks

REASONS = {
    "good-agent": "plan_generated",
    "planner-at-once": "plan_generated",
    "mentions-two": "plan_generated",
    "thinks": "plan_generated",
    "malformed-json": "max_turn_reached",
    "talks-forever": "max_turn_reached",
    "talks-forever:never": "max_turn_reached",
    "loops": "multiple_repeated_tool_calls",
    "loops-in-two-turns": "consecutive_repeated_tool_calls",
}
PLANLESS = {"talks-forever:never", "loops", "loops-in-two-turns"}


def session(
    server: ModelServer, world: World, agent: str, user: str = "good-user", task: Task | None = None
) -> Conversation:
    group = task or tasks()["starter_01"]
    return play(group, world, llm_agent(server.url, agent), llm_user(server.url, user))


def issues(conversation: Conversation, world: World) -> list[str]:
    """What is wrong with the plan by the published rules, opening hours included."""
    trip = prepare(conversation.state.plan, conversation.state.users, Catalogue(world.catalogue()))
    return [issue.type for check in PUBLISHED_CHECKS for issue in check(trip)]


def drafts(conversation: Conversation) -> list[str]:
    return [event.body.why for event in conversation.events if isinstance(event.body, DraftWithdrawn)]


@pytest.mark.parametrize(("name", "reason"), REASONS.items())
def test_a_personality_ends_a_session_in_its_own_way(
    server: ModelServer, world: World, name: str, reason: str
) -> None:
    played = session(server, world, name)
    assert played.state.final_event is not None
    assert played.state.final_event.reason == reason
    assert (played.state.plan is None) == (name in PLANLESS)


@pytest.mark.parametrize("task", tasks())
def test_the_good_agent_plans_validly_for_every_group(server: ModelServer, world: World, task: str) -> None:
    played = session(server, world, "good-agent", task=tasks()[task])
    assert issues(played, world) == []
    errors = [event for event in played.events if isinstance(event.body, ToolReturned) and event.body.error]
    assert errors == []
    inferred = [event.body for event in played.events if isinstance(event.body, TableInferred)]
    assert all(body.table is not None for body in inferred)


def test_the_good_agent_gives_every_item_a_cost(server: ModelServer, world: World) -> None:
    played = session(server, world, "good-agent")
    trip = prepare(played.state.plan, played.state.users, Catalogue(world.catalogue()))
    assert [*uncosted_item(trip, Background(RunRecord(users=tuple(played.state.users))))] == []


@pytest.mark.parametrize("task", ["starter_01", "starter_02"])
def test_in_english_too(server: ModelServer, world: World, task: str) -> None:
    played = session(server, world, "good-agent", task=english(tasks()[task]))
    assert issues(played, world) == []
    assert all("@User" in message for message in messages_of(played)[:-1])
    assert not any(ch > "\u4e00" for message in messages_of(played) for ch in message.split("@User")[0][:3])


def test_the_good_agent_asks_one_traveller_a_message(server: ModelServer, world: World) -> None:
    played = session(server, world, "good-agent")
    mentions = mention_pattern(played.state.users)
    assert [len(mentions.findall(message)) for message in messages_of(played)] == [1] * 5 + [0]


def test_the_good_agent_gets_on_with_scripted_travellers(server: ModelServer, world: World) -> None:
    played = play(tasks()["starter_02"], world, llm_agent(server.url, "good-agent"))
    assert issues(played, world) == []


def test_two_mentions_in_one_message(server: ModelServer, world: World) -> None:
    played = session(server, world, "mentions-two")
    assert len(mention_pattern(played.state.users).findall(messages_of(played)[0])) == 2


def test_a_broken_plan_is_mended_and_broken_arguments_are_told(server: ModelServer, world: World) -> None:
    played = session(server, world, "malformed-json")
    bodies = [event.body for event in played.events]
    assert any(isinstance(body, PlanMended) for body in bodies)
    assert any(isinstance(body, ToolReturned) and body.error_kind == "arguments" for body in bodies)
    assert issues(played, world) == []


def test_thoughts_come_apart_from_words(server: ModelServer, world: World) -> None:
    played = session(server, world, "thinks")
    assert any(isinstance(event.body, ThoughtKept) for event in played.events)


@pytest.mark.parametrize(
    ("name", "why"),
    {
        "leaks-fields": "field_name",
        "mentions-other-user": "mentions_user",
        "pass-inside-text": "pass_in_text",
        "marker-out-of-place": "marker",
    }.items(),
)
def test_a_breach_is_made_good_on_the_second_try(
    server: ModelServer, world: World, name: str, why: str
) -> None:
    played = session(server, world, "good-agent", name)
    found = drafts(played)
    assert found
    assert all(draft.startswith(why) for draft in found)
    assert not {"given_up", "trimmed"} & set(found)
    assert played.state.final_event is not None
    assert played.state.final_event.reason == "plan_generated"


def test_whoever_always_breaks_is_never_heard(server: ModelServer, world: World) -> None:
    played = session(server, world, "good-agent", "always-breaks")
    assert "given_up" in drafts(played)
    assert not any("must_eat" in message for message in messages_of(played, played.state.users))


def test_only_the_willing_yield_and_in_an_accepted_form(server: ModelServer, world: World) -> None:
    played = session(server, world, "good-agent", task=tasks()["starter_02"])
    assert [entry["applied"] for entry in played.state.compromise_log] == [True]
    assert drafts(session(server, world, "good-agent")) == []


def test_one_personality_plays_both_seats(server: ModelServer, world: World) -> None:
    played = session(server, world, "good-agent", "good-agent")
    assert issues(played, world) == []


def test_without_native_tools(server: ModelServer, world: World) -> None:
    with pytest.raises(ModelFailure):
        session(server, world, "text-tools")
    agent = llm_agent(server.url, "text-tools", text=True)
    for task in (tasks()["starter_01"], english(tasks()["starter_01"])):
        played = play(task, world, agent, llm_user(server.url, "good-user"))
        assert issues(played, world) == []
        assert any(isinstance(event.body, ToolReturned) for event in played.events)


def test_a_long_chat_overflows(server: ModelServer, world: World) -> None:
    with pytest.raises(ModelFailure) as raised:
        session(server, world, "overflows:after=5")
    assert raised.value.kind == "overflow"


def test_nothing_is_said_but_nothing(server: ModelServer, world: World) -> None:
    with pytest.raises(RuntimeError, match="empty"):
        session(server, world, "wordless")


@pytest.mark.parametrize(
    "scaffold", [DirectAgent, ZeroShotCotAgent, ReactAgent, ReflexionAgent, LlmModuloAgent]
)
def test_every_scaffold_gets_its_plan(server: ModelServer, world: World, scaffold: type[DirectAgent]) -> None:
    agent = scaffold(BRIEFING, HttpModel(server.url, "good-agent"))
    for task in (tasks()["starter_01"], english(tasks()["starter_01"])):
        assert issues(play(task, world, agent, llm_user(server.url, "good-user")), world) == []


def test_a_session_played_again_is_the_same(server: ModelServer, world: World) -> None:
    first, second = (session(server, world, "good-agent") for _ in range(2))
    assert first.state.messages == second.state.messages


def test_a_seed_makes_another_course(server: ModelServer, world: World) -> None:
    asked = [messages_of(session(server, world, f"good-agent:seed={seed}"))[0][:6] for seed in (0, 1)]
    assert asked == ["@User2", "@User1"]
