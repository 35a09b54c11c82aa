"""The seat of docs/client/caravan_seat.py without a server: a program plays a whole session in memory."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from types import ModuleType
from typing import Any

import pytest

from benchmark.core.actions import Action, CallTools, Say, ToolCall
from benchmark.core.engine import Conversation, step
from benchmark.core.events import SessionStart
from benchmark.core.view import AGENT, View
from benchmark.suites.grouptravel.conversation.record import run_record
from benchmark.suites.grouptravel.conversation.rules import RULES, opening_step
from benchmark.suites.grouptravel.tasks import Task
from benchmark.suites.grouptravel.travellers.scripted import ScriptedUser
from sandbox.toolbox import world_tools
from sandbox.worlds import World


class SeatInMemory:
    """The agent's seat of one session: what the program says last is its answer to the turn."""

    def __init__(self, task: Task, world: World) -> None:
        self.me: dict[str, Any] = {}
        self._talk = Conversation(RULES)
        self._talk.append(opening_step(task, SessionStart(seed=0)))
        self._seats = {user: ScriptedUser() for user in task.users} | {AGENT: self}
        self._tools = world_tools(world, task.language)
        self._answer: Action | None = None

    def __call__(self, *_link: str) -> SeatInMemory:
        return self

    def __enter__(self) -> SeatInMemory:
        return self

    def __exit__(self, *_: object) -> None:
        return

    def act(self, _view: View) -> Action:
        assert self._answer is not None, "the program did not answer its turn"
        answer, self._answer = self._answer, None
        return answer

    def turns(self) -> Iterator[dict[str, Any]]:
        state = self._talk.state
        while state.final_event is None:
            granted = None if state.ask_again or state.loop.waiting else state.turn
            if granted is not None and granted.speaker == AGENT:
                view = asdict(self._talk.view(AGENT).view())
                yield {"turn": view["turn"], "view": view}
            self._talk.append(step(self._talk, self._seats, self._tools))
        self.me["ended"] = {
            "reason": state.final_event.reason,
            "plan_generated": state.final_event.plan_generated,
        }

    def say(self, content: str) -> bool:
        self._answer = Say(content)
        return True

    def call_tools(self, calls: Iterable[tuple[str, Any]], note: str = "") -> bool:
        self._answer = CallTools(tuple(ToolCall(name, arguments) for name, arguments in calls), note=note)
        return True


def record_of(code: str, task: Task, world: World, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The run record of a session whose agent is a program, as a page prints it."""
    seat, client = SeatInMemory(task, world), ModuleType("caravan_seat")
    client.Seat = seat  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "caravan_seat", client)
    monkeypatch.setattr(sys, "argv", ["program", "http://127.0.0.1", "LINK"])
    exec(compile(code, "a program of the page", "exec"), {"__name__": "__main__"})
    return run_record(seat._talk.events)
