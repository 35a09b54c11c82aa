"""How a session begins, who speaks next, and what becomes of the words."""

from __future__ import annotations

from benchmark.core.actions import Say
from benchmark.core.engine import Step
from benchmark.core.events import (
    USUAL_START,
    EventBody,
    MessageWithheld,
    SessionFinished,
    SessionStart,
    TurnGranted,
)
from benchmark.core.options import Options
from benchmark.core.rules import Rules
from benchmark.core.setting import Check
from benchmark.core.view import AGENT
from benchmark.suites.base import PROTOCOL, fill_options
from benchmark.suites.travelbench.conversation.answers import OUT_OF_STEPS, Answer, apology, fallback
from benchmark.suites.travelbench.conversation.state import SessionState
from benchmark.suites.travelbench.conversation.views import ViewFold
from benchmark.suites.travelbench.events import USER, IntentDealt, MessagePosted, SessionOpened
from benchmark.suites.travelbench.modes import END_MARK, MOST_TURNS
from benchmark.suites.travelbench.tasks.task import Task
from sandbox.toolbox import SandboxSetup
from sandbox.toolsets.base import Strictness

TOOLSET = "travelbench"


def opening_step(task: Task, start: SessionStart = USUAL_START) -> Step:
    """The first events of a session: the task, the seats, what the user alone knows, the query.

    The tools get the task's time; under `published` they are read as the published program reads them.
    """
    chosen = fill_options((PROTOCOL,), start.options)
    opened = SessionOpened(
        task_id=task.task_id,
        subtask=task.subtask,
        trace_id=task.trace_id,
        query=task.query,
        time=task.time,
        context=task.context,
        language="zh" if task.language == "zh" else "en",
        **start.fields(options=dict(chosen), sandbox=_sandbox(start.sandbox, task, chosen)),
    )
    dealt = (IntentDealt(intent=task.intent, profile=task.user_profile),) if task.subtask == "multi" else ()
    said = MessagePosted(role=USER, content=task.query, opening=True)
    return Step("system", (opened, *start.seats, *dealt, said))


def _sandbox(given: SandboxSetup | None, task: Task, options: Options) -> SandboxSetup:
    strictness: Strictness = "lenient" if options["protocol"] == "published" else "strict"
    own = {"toolset": TOOLSET, "strictness": strictness, "given": {"time": task.time}}
    return (given or SandboxSetup()).model_copy(update=own)


def next_turn(state: SessionState) -> TurnGranted | SessionFinished:
    """The agent after the user, the user after the agent; the end after an answer, a farewell or the last turn."""
    assert state.opening is not None
    if not state.opening.query:
        return SessionFinished(reason="runtime_error")  # the published program can't begin without words
    last = state.messages[-1]
    if last.role == AGENT and not state.silent:
        if state.opening.subtask == "multi":
            return TurnGranted(speaker=USER, kind="reply", round=state.round)
        return _finish(state, "completed")
    if state.round and (reason := _end(state, last.content)):
        return _finish(state, reason)
    return TurnGranted(speaker=AGENT, kind="answer", round=state.round)


def _end(state: SessionState, words: str) -> str:
    """Why the session ends after words of the user, "" where it goes on. Under `published` who says farewell in the
    last turn has reached the limit.
    """
    assert state.opening is not None
    last_turn = state.round >= MOST_TURNS
    if last_turn and state.opening.protocol == "published":
        return "max_turns_reached"
    if state.silent or END_MARK in words:
        return "user_ended"
    return "max_turns_reached" if last_turn else ""


def _finish(state: SessionState, reason: str) -> SessionFinished:
    return SessionFinished(reason=reason, plan_generated=state.planned)


def utterance_events(state: SessionState, action: Say, check: Check | None = None) -> list[EventBody]:
    """The events that an utterance makes; after the last step of a turn the agent's words are a fixed sentence."""
    turn = state.turn
    assert turn is not None
    if turn.speaker == AGENT and state.spent:
        kept = (
            [MessageWithheld(content=action.content, why="spent")] if action.content != OUT_OF_STEPS else []
        )
        return [*kept, MessagePosted(role=AGENT, content=OUT_OF_STEPS)]
    how = {"absent": action.absent, "failed": action.failed} if isinstance(action, Answer) else {}
    return [MessagePosted(role=turn.speaker, content=action.content, **how)]


def fallback_events(state: SessionState, error: str) -> list[EventBody]:
    """A stock sentence in the place of an answer that could not be had: the session goes on, as a success."""
    assert state.turn is not None
    stock = apology(error) if state.turn.speaker == AGENT else fallback(state.round)
    return utterance_events(state, stock)


RULES = Rules(
    state=SessionState,
    view=ViewFold,
    next_turn=next_turn,
    utterance_events=utterance_events,
    fallback_events=fallback_events,
)
