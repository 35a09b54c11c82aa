"""A session as those read it who look for what it lost: its turns as they were judged, and its tool calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Self

from benchmark.core.events import Event, MessagePosted
from benchmark.core.setting import Setting
from benchmark.core.view import AGENT
from benchmark.misses import AnsweredCalls
from benchmark.suites.base import Figures
from benchmark.suites.tripbench.conversation.state import SessionState
from benchmark.suites.tripbench.frame import Frame
from benchmark.suites.tripbench.plans.parameters import Parameters
from benchmark.suites.tripbench.rubrics.candidates import Candidates
from benchmark.suites.tripbench.scoring.options import parameters_of
from benchmark.suites.tripbench.tasks.task import Instruction, Task
from benchmark.suites.tripbench.turns import AgentTurn
from sandbox.toolsets.tripbench.records import TripWorld


class JudgedTurn(NamedTuple):
    """A reply of the agent. number: from 0. request: the user's message before it. exact: ids of instructions that
    were said exactly by then. evidence: what the scores say of the turn.
    """

    number: int
    reply: AgentTurn
    request: int
    exact: frozenset[str]
    evidence: Mapping[str, Any]

    @property
    def seq(self) -> int:
        """The event of the reply."""
        return self.reply.seq

    @property
    def user(self) -> Mapping[str, bool | None]:
        """Whether it meets the user's constraints, by their ids; None for those that were not judged."""
        flags: Mapping[str, bool | None] = self.evidence["user"]
        return flags

    @property
    def flags(self) -> Mapping[str, bool | None]:
        """The same of all constraints."""
        return {**self.evidence["feasibility"], **self.evidence["soundness"], **self.user}

    @property
    def strict(self) -> bool:
        """Whether it passes the strict verdict."""
        return bool(self.evidence["strict"])

    @property
    def loose(self) -> bool:
        """Whether it passes the loose verdict."""
        return bool(self.evidence["loose"])

    @property
    def violations(self) -> list[str]:
        """The violated constraints."""
        return [key for key, is_met in self.flags.items() if is_met is False]

    def too_many(self, parameters: Parameters) -> list[str]:
        """Those for which it does not pass the loose verdict: a group is left out of which it bears so many."""
        most = {"feasibility": 0, "soundness": parameters.loose_sound, "user": parameters.loose_user}
        broken = {group: [key for key, met in self.evidence[group].items() if met is False] for group in most}
        return [key for group, keys in broken.items() if len(keys) > most[group] for key in keys]

    def marks(self, constraint: str) -> list[Mapping[str, Any]]:
        """What is found against a constraint."""
        return [mark for mark in self.evidence["marks"] if mark["params"].get("constraint") == constraint]


@dataclass
class LostTrip:
    """An ended session with its world."""

    log: Sequence[Event]
    task: Task
    world: TripWorld
    parameters: Parameters
    turns: Sequence[JudgedTurn]
    _candidates: dict[str, Candidates] = field(default_factory=dict)

    @classmethod
    def of(
        cls, log: Sequence[Event], setting: Setting[Task, TripWorld], world: TripWorld, figures: Figures
    ) -> Self:
        """Read a log beside the evidence of its scores."""
        evidence: Any = figures.get("evidence", {})
        judged = {turn["message"]: turn for turn in evidence.get("turns", ())}
        state, request = SessionState(), log[0].seq
        heard: dict[int, tuple[int, frozenset[str]]] = {}
        for event in log:
            state.apply(event)
            if isinstance(event.body, MessagePosted):
                if event.body.role == AGENT:
                    heard[event.seq] = request, frozenset(state.exact)
                else:
                    request = event.seq
        replies = [turn for turn in state.turns if turn.seq in judged]
        turns = [
            JudgedTurn(number, turn, *heard[turn.seq], judged[turn.seq])
            for number, turn in enumerate(replies)
        ]
        return cls(log, state.task or setting.task, world, parameters_of(setting.options), turns)

    @cached_property
    def calls(self) -> AnsweredCalls:
        """Its tool calls."""
        return AnsweredCalls(self.log)

    def frame_at(self, turn: JudgedTurn) -> Frame:
        """The trip that is asked for at a turn."""
        return self.task.demand_after(turn.reply.issued_ids).frame

    def candidates(self, frame: Frame) -> Candidates:
        """What a plan of a trip may name."""
        key = frame.model_dump_json()
        if key not in self._candidates:
            self._candidates[key] = Candidates(self.world, frame, self.parameters)
        return self._candidates[key]

    def began(self, turn: JudgedTurn, key: str) -> int:
        """The reply with which a constraint was first violated, and in each one since."""
        first = turn
        for earlier in reversed(self.turns[: turn.number]):
            if earlier.flags.get(key) is not False:
                break
            first = earlier
        return first.seq

    def first_turn_with(self, turn: JudgedTurn, id_: str) -> JudgedTurn:
        """The first turn since which one of the user's constraints has held without a gap."""
        first = turn
        for earlier in reversed(self.turns[: turn.number]):
            if id_ not in earlier.user:
                break
            first = earlier
        return first

    def instruction(self, id_: str) -> Instruction:
        """One that the user issued."""
        return self.task.instructions[id_]

    def name_of(self, id_: str) -> str:
        """What a place or service is called; its id where the world does not have it."""
        world = self.world
        for known in (world.attractions_by_id, world.hotels_by_id, world.restaurants_by_id):
            if id_ in known:
                return str(known[id_].name)
        service = world.services_by_id.get(id_)
        return id_ if service is None else service.number
