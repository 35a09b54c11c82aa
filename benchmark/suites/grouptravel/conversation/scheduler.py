"""Who acts next: the turn-taking of the published protocol (appendix A.6), read from the state alone."""

from __future__ import annotations

from benchmark.core.events import SessionFinished
from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.conversation.state import SessionState
from benchmark.suites.grouptravel.events import TurnGranted


def next_turn(state: SessionState) -> TurnGranted | SessionFinished:
    """The turn to grant now, or the end. Call it only while no answer is awaited."""
    if state.turn is not None and state.ask_again:
        return _repeat_turn(state, state.turn)
    if state.due:
        return _agent(state, "convergence", state.due)
    if state.ending:
        return _end(state)
    if not state.started:
        return _summary(state, "opening")
    return _regular(state)


def _regular(state: SessionState) -> TurnGranted:
    opened = state.opening
    assert opened is not None
    if state.round >= opened.max_turn:
        return _agent(state, "final", "end")
    if (mentioned := state.due_speaker) is not None:
        return TurnGranted(
            speaker=mentioned, kind="mentioned", place="preempt", round=state.round, slot=state.slot
        )
    if state.slot == 0 and state.round and state.round % opened.convergence_interval == 0:
        return _summary(state, "checkpoint")
    return _poll(state)


def _poll(state: SessionState) -> TurnGranted:
    order = [*state.users, AGENT]
    slot, skipped = state.slot, []
    while order[slot] != AGENT and not state.has_news(order[slot]):
        skipped.append(order[slot])
        slot += 1
    return TurnGranted(
        speaker=order[slot], kind="polled", place="lap", round=state.round, slot=slot, skipped=tuple(skipped)
    )


def _repeat_turn(state: SessionState, turn: TurnGranted) -> TurnGranted:
    passed = state.ask_again == "passed"
    return turn.model_copy(
        update={
            "attempt": 1 if passed else turn.attempt + 1,
            "passes": turn.passes + passed,
            "problem": state.ask_again,
            "skipped": (),
        }
    )


def _agent(state: SessionState, kind: str, place: str) -> TurnGranted:
    return TurnGranted.model_validate(
        {"speaker": AGENT, "kind": kind, "place": place, "round": state.round, "slot": state.slot}
    )


def _summary(state: SessionState, leads_to: str) -> TurnGranted:
    history = len(state.messages) - 1 if leads_to == "finish" else None
    turn = _agent(state, "summary", "hidden")
    return turn.model_copy(update={"leads_to": leads_to, "history": history})


def _end(state: SessionState) -> TurnGranted | SessionFinished:
    if state.plan is not None and not state.summarised:
        return _summary(state, "finish")
    return SessionFinished.model_validate({"reason": state.ending, "plan_generated": state.plan is not None})
