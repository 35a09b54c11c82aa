"""A small group to talk to: a view by hand, or a whole session with travellers who say little."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from benchmark.core.actions import Action, Pass, Say
from benchmark.core.engine import Conversation, run
from benchmark.core.view import AGENT, Message, ToolEntry
from benchmark.suites.grouptravel.agent import ReferenceAgent
from benchmark.suites.grouptravel.conversation.rules import RULES, opening_step
from benchmark.suites.grouptravel.tasks import Task
from benchmark.suites.grouptravel.view import GroupTurn, GroupView, Traveller, TurnKind
from sandbox.toolbox import ToolOutcome

PLAN = (
    "```json\n"
    '{"days": [{"day": 1, "date": "2025-10-31", "city_segments": [{"city": "杭州市", "activities": []}]}]}'
    "\n```"
)


def view(
    *said: tuple[str, str],
    kind: TurnKind = "polled",
    tools: tuple[ToolEntry, ...] = (),
    cities: str = "杭州市、苏州市",
    users: int = 2,
    rounds: tuple[int, int] = (1, 15),
    step: int = 0,
) -> GroupView:
    """The agent's view of a chat of (role, text) pairs."""
    return GroupView(
        me=AGENT,
        language="zh",
        seed=0,
        query=f"{cities}，三天两夜，{users}人的旅行计划",
        time="2025-10-31",
        context="出发城市：北京市；出行日期：2025-10-31；团队类型：朋友",
        travellers=tuple(Traveller(f"User{n}", "朋友") for n in range(1, users + 1)),
        companions=(),
        max_turn=rounds[1],
        convergence_interval=3,
        round=rounds[0],
        messages=tuple(Message(seq, role, text) for seq, (role, text) in enumerate(said, 1)),
        turn=GroupTurn(kind, step=step),
        tool_log=tools,
    )


def entry(name: str, arguments: dict[str, Any], result: dict[str, Any]) -> ToolEntry:
    return ToolEntry("c", name, arguments, json.dumps(result, ensure_ascii=False), "error" in result, "world")


@dataclass
class Quiet:
    """Says `answer(question)` when mentioned, and passes otherwise."""

    answer: Callable[[str], str]

    def act(self, seen: GroupView) -> Action:
        return Say(self.answer(seen.messages[-1].content)) if seen.turn.kind == "mentioned" else Pass()


class Nothing:
    """Tools that find nothing, and remember what they were asked."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str]] = []

    def call(self, name: str, arguments: dict[str, Any] | str) -> ToolOutcome:
        self.calls.append((name, json.dumps(arguments, sort_keys=True, ensure_ascii=False)))
        return ToolOutcome('{"pois": []}', "world", "world")


class Sights(Nothing):
    """Tools that know a few free sights, open day and night, in one city."""

    def __init__(self, city: str, names: Iterable[str]) -> None:
        super().__init__()
        self._pois = [
            {
                "id": f"s{number}",
                "name": name,
                "kind": "attraction",
                "category": "寺庙",
                "city": city,
                "location": f"120.{10 + number},30.2",
                "price": 0,
                "opening_hours": None,
            }
            for number, name in enumerate(names)
        ]

    def call(self, name: str, arguments: dict[str, Any] | str) -> ToolOutcome:
        super().call(name, arguments)
        return ToolOutcome(json.dumps({"pois": self._pois}, ensure_ascii=False), "world", "world")


def session(
    users: int,
    cities: tuple[str, ...],
    difficulty: str,
    answer: Callable[[str], str],
    opening: str = "大家好。",
    tools: Nothing | None = None,
) -> tuple[Conversation, Nothing]:
    """A session of the reference agent with quiet travellers, played to its end."""
    names = [f"User{n}" for n in range(1, users + 1)]
    table = {"global_constraints": {"avg_budget": 3000}, "city_specific_preferences": {}}
    task = Task.model_validate(
        {
            "task_id": "t",
            "query": f"{'、'.join(cities)}，三天两夜，{users}人的旅行计划",
            "time": "2025-10-31",
            "context": "出发城市：北京市",
            "metadata": {"departure_city": "北京市", "cities": list(cities), "date": "三天两夜"},
            "user_preferences": {name: {"role": "朋友", "preference": table} for name in names},
            "initial_messages": [{"role": name, "content": opening} for name in names],
            "difficulty_type": difficulty,
        }
    )
    talk, tools = Conversation(RULES), tools or Nothing()
    talk.append(opening_step(task))
    run(talk, {name: Quiet(answer) for name in names} | {AGENT: ReferenceAgent()}, tools)
    return talk, tools
