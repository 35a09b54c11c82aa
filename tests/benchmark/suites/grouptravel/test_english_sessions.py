"""Whole sessions over the shipped English tasks, played in memory by the scripted users and the reference agent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import benchmark.suites.grouptravel.tasks
from benchmark.core.engine import Conversation, run
from benchmark.core.events import SessionStart
from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.agent import ReferenceAgent
from benchmark.suites.grouptravel.conversation.record import run_record
from benchmark.suites.grouptravel.conversation.rules import RULES, opening_step
from benchmark.suites.grouptravel.preferences import TRANSPORT_MODES
from benchmark.suites.grouptravel.scoring.catalogue import Catalogue
from benchmark.suites.grouptravel.scoring.score import score_record
from benchmark.suites.grouptravel.tasks import TASK_FILES, Task
from benchmark.suites.grouptravel.travellers.scripted import ScriptedUser
from sandbox.toolbox import world_tools
from sandbox.worlds import World
from sandbox.worlds.records import HOTEL_CLASSES
from sandbox.worlds.value_names import value_names

FILE = Path(benchmark.suites.grouptravel.tasks.__file__).parent / "data" / "starter_en.jsonl"
TASKS = [read.task for read in TASK_FILES.whole(FILE)]
CHINESE = re.compile(r"[\u3400-\u9fff]+")
ENUMERATED_VALUES = {*TRANSPORT_MODES, *HOTEL_CLASSES}


def play(task: Task, world: World, seed: int = 0) -> dict[str, Any]:
    talk = Conversation(RULES)
    talk.append(opening_step(task, SessionStart(seed=seed)))
    seats = {user: ScriptedUser() for user in task.users} | {AGENT: ReferenceAgent()}
    run(talk, seats, world_tools(world, task.language))
    return run_record(talk.events)


@pytest.fixture(scope="module", params=TASKS, ids=lambda task: task.task_id)
def played_task(request: pytest.FixtureRequest, world: World) -> tuple[Task, dict[str, Any]]:
    return request.param, play(request.param, world)


def test_a_session_ends_with_a_valid_plan_after_everything_was_understood(
    played_task: tuple[Task, dict[str, Any]], world: World
) -> None:
    task, record = played_task
    scored = score_record(record, Catalogue(world.catalogue()))
    assert record["completion_reason"] == "plan_generated"
    assert scored["pv_issues"] == []
    assert scored["pc"] >= 0.95
    assert min(scored["per_user_utility"].values()) > 0
    assert record["total_rounds"] < task.limits[0]


def leaves(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from leaves(child)


def quotable(task: Task, world: World) -> set[str]:
    """Names and values that an English talk may hold: the tables', the cities', the world's places."""
    places = {
        text
        for city in task.metadata.cities
        for place in world.places(city)
        for text in (place.name, place.category)
    }
    tables = {text for card in task.user_preferences.values() for text in leaves(card.preference)}
    return places | tables | ENUMERATED_VALUES


def test_nobody_says_a_chinese_word_that_is_no_name(
    played_task: tuple[Task, dict[str, Any]], world: World
) -> None:
    task, record = played_task
    allowed = "\n".join(quotable(task, world))
    cities = {*task.metadata.cities, task.metadata.departure_city}
    for entry in record["conversation_history"]:
        if entry["type"] == "message":
            prose = re.sub(r"```json.*?```", "", entry["content"], flags=re.DOTALL)
            assert [word for word in CHINESE.findall(prose) if word not in allowed or word in cities] == [], (
                prose
            )
            assert not re.search("[，。？！：；、]", prose), prose


def test_the_agent_calls_the_values_of_tables_by_their_english_names(
    played_task: tuple[Task, dict[str, Any]], world: World
) -> None:
    _, record = played_task
    values = set(value_names("en"))
    for entry in record["conversation_history"]:
        if entry["type"] == "message" and entry["role"] == AGENT:
            prose = entry["content"].partition("```")[0]
            assert [word for word in CHINESE.findall(prose) if word in values] == [], prose


def test_travellers_and_agent_speak_in_words(played_task: tuple[Task, dict[str, Any]]) -> None:
    for entry in played_task[1]["conversation_history"]:
        if entry["type"] == "message" and "```" not in entry["content"] and entry["content"] != "[pass]":
            assert len(re.findall(r"[A-Za-z]", entry["content"])) >= 2
            assert not re.search(r"\{\w*\}|  |\.\.", entry["content"]), entry["content"]
