"""A session in memory, and its transcript as a person reads it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from benchmark.core.engine import Conversation, run
from benchmark.core.events import SessionStart
from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.agent import ReferenceAgent
from benchmark.suites.grouptravel.conversation.record import run_record
from benchmark.suites.grouptravel.conversation.rules import RULES, opening_step
from benchmark.suites.grouptravel.tasks import Task
from benchmark.suites.grouptravel.travellers.scripted import ScriptedUser
from sandbox.toolbox import world_tools
from sandbox.worlds.reader import World
from tests.bench.sense.counting import Session


def play(task: Task, world: World, seed: int) -> dict[str, Any]:
    """The record of the reference agent with scripted travellers."""
    talk = Conversation(RULES)
    talk.append(opening_step(task, SessionStart(seed=seed)))
    seats = {user: ScriptedUser() for user in task.users} | {AGENT: ReferenceAgent()}
    run(talk, seats, world_tools(world, task.language))
    return run_record(talk.events)


def transcript(session: Session) -> str:
    """Tables, talk and plan, a line each."""
    tables = (f"{u} {json.dumps(session.table(u), ensure_ascii=False)}" for u in session.task.users)
    talk = (f"{role}: {text.split('```')[0].strip()}" for role, text in session.messages)
    return "\n".join([session.task.query, *tables, *talk, *_plan(session.plan)])


def _plan(plan: dict[str, Any]) -> Iterator[str]:
    for day in plan["days"]:
        yield f"-- day {day['day']}, {day['date']}"
        for segment in day["city_segments"]:
            yield from map(_line, segment.get("activities", [segment]))


def _line(activity: dict[str, Any]) -> str:
    who = activity.get("participants", ["All"])
    place = activity.get("location") or " -> ".join(
        str(activity[key]) for key in ("from_city", "to_city", "from", "to") if key in activity
    )
    parts = [
        f"  {activity['start_time']}-{activity['end_time']}",
        str(activity["type"]),
        place,
        str(activity.get("transport_mode", "")),
        str(activity.get("avg_cost", "")),
        "" if who == ["All"] else ",".join(who),
    ]
    return " ".join(part for part in parts if part)
