"""One session that a policy steps through; nothing in it waits, so hundreds stand side by side in a thread."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from benchmark.advantages.gtpo import RolloutTurn
from benchmark.cassettes import KeptStep
from benchmark.core.actions import ParticipantFault
from benchmark.core.engine import Conversation, Step, Tools, crash_step, step
from benchmark.core.events import Event, MessagePosted, SessionFinished
from benchmark.core.line import Line, SeatModel, exchanges
from benchmark.core.participant import AnyParticipant
from benchmark.core.setting import AnySetting, Check
from benchmark.core.view import AGENT
from benchmark.models import ChatRequest, ModelFailure, ModelSetup, Reply
from benchmark.suites.base import RewardTurn, TurnReward
from benchmark.text.guarded import EndlessReading
from environments.actions import read_action
from environments.observation import Observation, StepResult

POLICY: Final = ModelSetup(name="policy", base_url="http://127.0.0.1/policy", model="policy")
"""How logs name the policy; no address is asked."""
MOST_STEPS: Final = 200
"""Actions of an episode, refused ones too; after them it is cut off."""
NO_FURTHER_ACTION: Final = "the episode is over; reset the environment"
Keep = Callable[[Sequence[KeptStep]], None]
"""Keeps what an action has added to an episode."""


class EpisodeOver(RuntimeError):
    """An action after the end."""


class PolicyAsked(Exception):
    """The policy has the turn, and has not answered yet."""

    def __init__(self, request: ChatRequest) -> None:
        self.request = request


class PolicyModel:
    """The policy as its seat sees it: a model that gives the answer that was put in its place."""

    setup = POLICY
    answer: Reply | ModelFailure | None = None

    def ask(self, request: ChatRequest) -> Reply:
        """The answer. Raises PolicyAsked where there is none, ModelFailure."""
        answer, self.answer = self.answer, None
        if answer is None:
            raise PolicyAsked(request)
        if isinstance(answer, ModelFailure):
            raise answer
        return answer


@dataclass(frozen=True)
class Seating:
    """Who takes part in an episode beside the policy.

    agent: makes the occupant of its seat over a model. reward, check: as the benchmark declares them.
    """

    agent: Callable[[SeatModel], AnyParticipant]
    users: Mapping[str, AnyParticipant]
    tools: Tools
    reward: RewardTurn[Any, Any]
    check: Check | None = None


class Episode:
    """A session at whose agent's seat a policy sits. The same seed and the same actions give the same log."""

    def __init__(
        self,
        conversation: Conversation[Any],
        setting: AnySetting,
        seating: Seating,
        *,
        id_: str = "",
        most_steps: int = MOST_STEPS,
        keep: Keep | None = None,
    ) -> None:
        """id_: by which its cassette names it. keep: keeps what each action adds, None for nothing."""
        self.id = id_
        self.conversation, self.setting = conversation, setting
        self.steps = self.turns = 0
        self.is_truncated: bool = False
        self._most_steps, self._keep, self._seating = most_steps, keep, seating
        self._policy, self._line, self._asked = PolicyModel(), Line(), 0
        self._seats = {**seating.users, AGENT: seating.agent(SeatModel(AGENT, self._policy, self._line))}
        self._request, self._error = ChatRequest(messages=()), ""
        self._to_keep: list[KeptStep] = [(conversation.events.copy(), ())]
        self._go_on()
        self._keep_steps()
        self._since = time.monotonic()

    @property
    def task(self) -> str:
        """The id of its task."""
        opening = self.conversation.state.opening
        return "" if opening is None else str(opening.task_id)

    @property
    def log(self) -> tuple[Event, ...]:
        """The events so far."""
        return tuple(self.conversation.events)

    @property
    def is_over(self) -> bool:
        """Whether no further action is taken."""
        return self.conversation.state.final_event is not None

    @property
    def observation(self) -> Observation:
        """What the policy is asked now."""
        return Observation(self._request.messages, self._request.tools, self._error)

    def step(self, action: object) -> StepResult:
        """Take an action (`read_action`), and go on until the policy has to act again.

        Raises EpisodeOver after the end, OSError where the log can't be written, and nothing for any action.
        """
        if self.is_over:
            raise EpisodeOver(NO_FURTHER_ACTION)
        before = self.conversation.state.seq
        self._error = ""
        self._policy.answer = read_action(action, (time.monotonic() - self._since) * 1000)
        self.steps += 1
        self._go_on()
        if self.steps >= self._most_steps:
            self._cut_off()
        self._keep_steps()
        self._since = time.monotonic()
        reward = self._reward(before)
        return StepResult(
            self.observation,
            reward.value,
            self.is_over and not self.is_truncated,
            self.is_truncated,
            {"figures": reward.figures, "turn": self.turns, "reason": self._reason()}
            | _turn_scores(reward.turn),
        )

    def _reason(self) -> str:
        final = self.conversation.state.final_event
        return "" if final is None else str(final.reason)

    def _reward(self, since: int) -> TurnReward:
        said = any(
            isinstance(event.body, MessagePosted) and event.body.role == AGENT
            for event in self.conversation.events[since:]
        )
        self.turns += said
        if not (said or self.is_over):
            return TurnReward()
        return self._seating.reward(self.conversation, self.setting, since)

    def _go_on(self) -> None:
        """Step until the policy is asked, or the session has ended."""
        while not self.is_over:
            try:
                made = self._next_step()
            except PolicyAsked as asked:
                self._request = asked.request
                return
            self._store(made)

    def _next_step(self) -> Step:
        state = self.conversation.state
        try:
            made = step(self.conversation, self._seats, self._seating.tools, self._seating.check)
            if made.waiting:
                raise ParticipantFault(f"{made.actor} waits, and nobody else can act")
            return made
        except PolicyAsked:
            raise
        except ModelFailure as failure:
            self._error = str(failure)
            return Step("system", ())
        except (ParticipantFault, EndlessReading) as fault:
            self._error = str(fault)
        except Exception as fault:  # whatever an action brings about: the other episodes go on
            self._error = f"{type(fault).__name__}: {fault}"
        return crash_step(state, "runtime_error", self._error)

    def _cut_off(self) -> None:
        if self.is_over:
            return
        self.is_truncated = True
        self._error = f"the episode was cut off after {self.steps} actions"
        planned = self.conversation.state.planned
        self._store(Step("researcher", (SessionFinished(reason="stopped", plan_generated=planned),)))

    def _store(self, made: Step) -> None:
        calls = self._line.take_calls()
        failing = self.conversation.state.failing.attempts
        called = [
            call.event(failing + 1, 0.0 if isinstance(call.outcome, ModelFailure) else None) for call in calls
        ]
        kept = exchanges(calls, self._asked + 1)
        self._asked += len(kept)
        self._to_keep.append((self.conversation.append(Step(made.actor, (*called, *made.bodies))), kept))

    def _keep_steps(self) -> None:
        """All at once, so that what a killed process leaves ends with an action."""
        steps, self._to_keep = self._to_keep, []
        if self._keep is not None and steps:
            self._keep(steps)


def _turn_scores(turn: RolloutTurn | None) -> dict[str, Any]:
    return {} if turn is None else {"turn_scores": {"is_feasible": turn.is_feasible, "scores": turn.scores}}
