"""Whole sessions of scripted travellers with the reference agent, played in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import benchmark.suites.grouptravel.tasks
from benchmark.core.actions import Action
from benchmark.core.engine import Conversation, run
from benchmark.core.events import SessionStart
from benchmark.core.participant import Participant
from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.agent import ReferenceAgent
from benchmark.suites.grouptravel.conversation.record import run_record
from benchmark.suites.grouptravel.conversation.rules import RULES, opening_step
from benchmark.suites.grouptravel.tasks import TASK_FILES, Task
from benchmark.suites.grouptravel.travellers.scripted import ScriptedUser
from benchmark.suites.grouptravel.view import GroupView
from sandbox.toolbox import world_tools
from sandbox.worlds import World

STARTER = Path(benchmark.suites.grouptravel.tasks.__file__).parent / "data"


@dataclass(frozen=True)
class Line:
    """One message of a session. kind: why its speaker spoke: opening, polled, mentioned."""

    speaker: str
    text: str
    kind: str = "opening"


@dataclass
class Listener:
    """A traveller whose turns are written down."""

    seat: Participant
    turns: list[tuple[str, str]]

    def act(self, view: GroupView) -> Action:
        action = self.seat.act(view)
        self.turns.append((view.turn.kind, getattr(action, "content", "")))
        return action


def starter_tasks() -> list[Task]:
    """The shipped tasks, Chinese ones first."""
    return [
        read.task
        for name in ("starter", "starter_en")
        for read in TASK_FILES.whole(STARTER / f"{name}.jsonl")
    ]


def play(task: Task, world: World, seed: int, agent: Participant | None = None) -> list[Line]:
    """The visible messages of a session, the opening included."""
    turns: dict[str, list[tuple[str, str]]] = {user: [] for user in task.users}
    talk = Conversation(RULES)
    talk.append(opening_step(task, SessionStart(seed=seed)))
    seats: dict[str, Participant] = {user: Listener(ScriptedUser(), turns[user]) for user in task.users}
    run(talk, seats | {AGENT: agent or ReferenceAgent()}, world_tools(world, task.language))
    record = run_record(talk.events)
    entries = [entry for entry in record["conversation_history"] if entry["type"] == "message"]
    return list(_lines(((entry["role"], entry["content"]) for entry in entries), turns))


def _lines(messages: Iterable[tuple[str, str]], turns: dict[str, list[tuple[str, str]]]) -> Iterator[Line]:
    """Each message with the kind of the turn in which it was made."""
    waiting = {user: iter(said for said in spoken if said[1]) for user, spoken in turns.items()}
    opened = set(turns)
    for role, text in messages:
        if role == AGENT:
            yield Line(role, text, "agent")
        elif role in opened:
            opened.discard(role)
            yield Line(role, text)
        else:
            yield Line(role, text, next(waiting[role])[0])
