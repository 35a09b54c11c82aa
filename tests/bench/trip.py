"""A long session of TRIP-Bench inside an installation: 15 turns, 150 tool calls, about 200,000 tokens."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.core.management import call_command

from benchmark.core.actions import Action, CallTools, Say, ToolCall
from benchmark.core.participant import BuiltIn
from benchmark.core.view import AGENT, View
from benchmark.suites.tripbench import participants
from webapp.catalogue.models import Task, World
from webapp.sessions import services
from webapp.sessions.models import Event
from webapp.sessions.scoring import score_session
from worker.sessions import advance

TURNS, CALLS = 15, 10
CITY, ORIGIN, START, NIGHTS = "杭州市", "上海市", date(2026, 5, 1), 9
WISHES = [
    ("hotel.star", {"min": 2}), ("hotel.review_count", {"min": 1}), ("hotel.good_rate", {"min": 0.1}),
    ("attraction.comment_count", {"op": "more", "a": 1}), ("attraction.heat_score", {"op": "more", "a": 0}),
    ("attraction.exclude_categories", {"cats": ["动物园"]}), ("restaurant.rating", {"min": 1}),
    ("restaurant.review_count", {"min": 1}), ("restaurant.subrating_food", {"min": 1}),
    ("restaurant.exclude_cuisine", {"cats": ["西餐"]}), ("transport.ontime", {"rate": 0.1}),
    ("general.total_budget", {"a": 90_000}), ("general.daily_attractions", {"min": 1}),
    ("general.day_window", {"a": "06:00", "b": "23:00"}), ("hotel.cancel_policy", {"hours": 72}),
]  # fmt: skip
SEARCHES = ("search_attractions", "search_restaurants", "search_hotels")


def _task() -> dict[str, Any]:
    nodes = [
        {"instructions": [{"id": f"i{n}", "rubric": rubric, "args": args}]}
        for n, (rubric, args) in enumerate(WISHES)
    ]
    dates = {"start_date": str(START), "end_date": str(START + timedelta(NIGHTS))}
    meta = {"origin": ORIGIN, "stays": [[CITY, NIGHTS]], "people": 2, **dates}
    return {"id": "bench", "tier": "hard", "subset": "lit", "meta": meta, "nodes": nodes}


class Caller:
    """Looks for as much as a page holds, then gives a plan of ten days; it keeps count by what its log holds."""

    def act(self, view: View) -> Action:
        """Ten searches, then a reply."""
        turn = sum(message.role == AGENT for message in view.messages)
        if len(view.tool_log) < CALLS * (turn + 1):
            return CallTools(tuple(self._call(turn, n) for n in range(CALLS)))
        return Say(f"Plan {turn + 1}.\n```json\n{json.dumps(_plan(turn), ensure_ascii=False)}\n```")

    def _call(self, turn: int, number: int) -> ToolCall:
        name = SEARCHES[number % len(SEARCHES)]
        arguments: dict[str, Any] = {"city": CITY, "page": 1 + (turn + number) % 2, "page_size": 50}
        if name == "search_hotels":
            arguments |= {"check_in_date": str(START), "check_out_date": str(START + timedelta(1))}
        return ToolCall(name, arguments)


def _plan(turn: int) -> dict[str, Any]:
    days = [
        {
            "date": str(START + timedelta(day)),
            "cities": CITY,
            "activities": [
                {
                    "time": f"{hour:02d}:00-{hour:02d}:50",
                    "type": "Local Transportation",
                    "description": f"{turn}",
                }
                for hour in range(9, 21)
            ],
        }
        for day in range(NIGHTS + 1)
    ]
    frame = {"start_date": str(START), "end_date": str(START + timedelta(NIGHTS)), "number_of_people": 2}
    return {"trip_plan": {**frame, "daily_schedule": days}}


def play_session() -> dict[str, Any]:
    """Its id, with how much it holds."""
    participants.AGENTS["caller"] = BuiltIn(lambda context: Caller())  # type: ignore[index]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "task.jsonl"
        path.write_text(json.dumps(_task()), "utf-8")
        call_command("import_tasks", path, "--suite", "tripbench", verbosity=0)
    session = services.create_session(
        task=Task.objects.get(task_id="bench"),
        world=World.objects.get(name="starter"),
        setup=services.Setup(agent="caller"),
        start=False,
    )
    advance(session.pk, budget_s=None, paced=False)
    score_session(session=session)
    session.refresh_from_db()
    payloads = Event.objects.filter(session=session).values_list("payload", flat=True)
    letters = sum(len(json.dumps(payload, ensure_ascii=False)) for payload in payloads)
    return {
        "session": session.pk,
        "turns": session.turn_values.filter(key="strict").count(),
        "calls": session.events.filter(type="tool_called").count(),
        "letters": letters,
    }
