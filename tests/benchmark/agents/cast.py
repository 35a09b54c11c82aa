"""A model that says what a test gives it, views for it to act in, and whole sessions in memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import benchmark.suites.grouptravel.tasks
from benchmark.core.engine import Conversation, run
from benchmark.core.participant import Participant
from benchmark.core.view import AGENT, Message
from benchmark.models import ChatRequest, ModelSetup, Reply, RequestedCall
from benchmark.suites.grouptravel.conversation.rules import RULES, opening_step
from benchmark.suites.grouptravel.tasks import TASK_FILES, Task
from benchmark.suites.grouptravel.travellers.scripted import ScriptedUser
from benchmark.suites.grouptravel.view import GroupTurn, GroupView, Traveller
from sandbox.toolbox import world_tools
from sandbox.worlds import open_world

SETUP = ModelSetup(name="scripted", base_url="http://127.0.0.1:1/v1", model="scripted-1")
OPENING = (("User1", "人均不能超过900元。"), ("User2", "苏州博物馆一定要去。"))
TABLE = {"User1": {"global_constraints": {"avg_budget": 900}, "city_specific_preferences": {}}}


@dataclass
class ScriptedModel:
    """Answers with the next reply, or with what a function makes of the request; keeps every request."""

    replies: Sequence[Reply | str] | Callable[[ChatRequest], Reply | str]
    requests: list[ChatRequest] = field(default_factory=list)
    setup: ModelSetup = SETUP

    def ask(self, request: ChatRequest) -> Reply:
        self.requests.append(request)
        found = self.replies(request) if callable(self.replies) else self.replies[len(self.requests) - 1]
        return Reply(found) if isinstance(found, str) else found


def calling(*calls: tuple[str, str], text: str = "", reasoning: str = "") -> Reply:
    """A reply with native calls: (name, arguments as text)."""
    requested = tuple(RequestedCall(f"x{at}", *call) for at, call in enumerate(calls))
    return Reply(text, requested, reasoning, "tool_calls")


def view(
    *said: tuple[str, str],
    kind: str = "polled",
    language: str = "zh",
    table: dict[str, Any] | None = None,
    tool_log: tuple[Any, ...] = (),
    notes: tuple[Any, ...] = (),
    companions: tuple[Traveller, ...] = (),
    protocol: str = "published",
    **turn: Any,
) -> GroupView:
    """The agent's view after the opening and `said`; messages are numbered 1, 2, …, the turn is number 50."""
    messages = tuple(Message(seq, role, text) for seq, (role, text) in enumerate((*OPENING, *said), 1))
    return GroupView(
        me=AGENT,
        language=language,
        seed=0,
        query="苏州市，两天一夜，2人的旅行计划",
        time="2025-11-02",
        context="出发城市：上海市",
        travellers=(Traveller("User2", "女友"), Traveller("User1", "男友")),
        companions=companions,
        max_turn=15,
        convergence_interval=3,
        round=2,
        messages=messages,
        turn=GroupTurn(kind, **{"seq": 50, **turn}),  # type: ignore[arg-type]
        tool_log=tool_log,
        notes=notes,
        table=table or {},
        protocol=protocol,
    )


def plan(**leg: Any) -> dict[str, Any]:
    """A valid plan of one day and night and the way back, to Suzhou and from there; `leg` changes the way there."""
    there = {
        "type": "intercity_transport", "from_city": "上海市", "to_city": "苏州市", "transport_mode": "高铁",
        "start_time": "08:00", "end_time": "08:30", "avg_cost": 40, **leg,
    }  # fmt: skip
    back = {**there, "from_city": "苏州市", "to_city": "上海市", "transport_mode": "高铁"}
    activities = [
        {"type": "intracity_transport", "from": "苏州站", "to": "苏州博物馆", "transport_mode": "地铁",
         "start_time": "08:40", "end_time": "09:00", "participants": ["All"]},
        {"type": "attraction", "location": "苏州博物馆", "start_time": "09:00", "end_time": "11:00",
         "participants": ["All"], "avg_cost": 0},
        {"type": "intracity_transport", "from": "苏州博物馆", "to": "酒店", "transport_mode": "步行",
         "start_time": "11:00", "end_time": "11:20", "participants": ["All"]},
        {"type": "hotel", "location": "酒店", "start_time": "11:20", "end_time": "09:00", "avg_cost": 200},
    ]  # fmt: skip
    first = [there, {"city": "苏州市", "activities": activities}]
    return {
        "days": [
            {"day": 1, "date": "2025-11-02", "city_segments": first},
            {"day": 2, "date": "2025-11-03", "city_segments": [back]},
        ]
    }


def plan_text(**leg: Any) -> str:
    return json.dumps(plan(**leg), ensure_ascii=False)


def starter_task(language: str = "zh") -> Task:
    """The first shipped task, in Chinese or said to be in English."""
    path = Path(benchmark.suites.grouptravel.tasks.__file__).parent / "data" / "starter.jsonl"
    first = next(iter(TASK_FILES.whole(path))).task
    return first.model_copy(update={"language": language})


def play_session(agent: Participant, pack: Path, language: str = "zh") -> Conversation:
    """A whole session of `agent` with scripted travellers over the starter world."""
    task = starter_task(language)
    conversation = Conversation(RULES)
    conversation.append(opening_step(task))
    seats: dict[str, Participant] = {user: ScriptedUser() for user in task.users}
    return run(conversation, {**seats, AGENT: agent}, world_tools(open_world(pack), task.language))
