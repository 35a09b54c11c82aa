"""What the rules make of a case, in the form of the golden files: a judgement, tool calls, a session, and others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, with_config
from typing_extensions import TypedDict

from benchmark.suites.travelbench.modes import DIMENSIONS, Mode, Subtask
from benchmark.suites.travelbench.replaying import Call, ModelAnswer, PlayedSession, play, tool_calls
from benchmark.suites.travelbench.scoring.aggregate import (
    OVERALL,
    rounded_overall,
    statistics_of,
)
from benchmark.suites.travelbench.scoring.asking import AskedInVain, NoConnection, ask_judge, meta_judged
from benchmark.suites.travelbench.scoring.scores import error_rate, run_scores
from benchmark.suites.travelbench.scoring.transcript import transcript
from benchmark.suites.travelbench.scoring.unsolved_verdict import accuracy, first_message

EvaluationMode = Literal["single-turn", "multi-turn"]
Score = float | None


class _Case(BaseModel):
    model_config = ConfigDict(frozen=True, extra="allow", strict=True)
    id: str


class Failure(BaseModel):
    """A reply that raises an exception of a name."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
    error: str


Reply = str | Failure | None
Replies = Annotated[list[Reply], Field(min_length=1)]
_OPEN = ConfigDict(extra="allow", strict=True)
Count = int | None
"""Null counts as 0, as a missing number does."""


@with_config(_OPEN)
class Message(TypedDict, total=False):
    """A message of a run record; all else may hold anything."""

    tool_calls: list[dict[str, Any]] | None


class Trajectory(BaseModel):
    """The part of a run record that scores are made from."""

    model_config = ConfigDict(frozen=True, extra="allow", strict=True)
    messages: list[Message] | None = None
    tool_calls_count: Count = None
    tool_errors: Count = None


class JudgeCase(_Case):
    """judge_replies, meta_replies: played in order, the last again and again; null for no meta-judge."""

    kind: Literal["judge"]
    mode: EvaluationMode
    trajectory: Trajectory
    judge_replies: Replies
    meta_replies: Replies | None = None


class ToolsCase(_Case):
    """cached: the places of the calls whose key is in the cache."""

    kind: Literal["tools"]
    time: str
    calls: list[Call]
    cached: list[int] = []


@with_config(_OPEN)
class Data(TypedDict, total=False):
    """A task, as far as a session reads it; what is missing or null is empty."""

    trace_id: str | None
    time: str | None
    query: str | None
    context: str | None
    intent: str | None
    user_profile: str | None


class SessionCase(_Case):
    """data: a task. agent, user: model answers, the last of each again and again."""

    kind: Literal["session"]
    mode: Literal["multi_turn", "single_turn", "unsolved"]
    data: Data
    agent: Annotated[list[ModelAnswer], Field(min_length=1)]
    user: list[ModelAnswer] = []


class UnsolvedCase(_Case):
    """trajectory: a run over an unsolvable task; a crash has no messages."""

    kind: Literal["unsolved"]
    trajectory: Trajectory


class Scores(BaseModel):
    """The columns of a judged run; without `scores`, or without their average, it counts as not judged."""

    model_config = ConfigDict(frozen=True, extra="allow", strict=True)
    scores: dict[str, Score] | None = None
    normalized_scores: dict[str, Score] = {}
    penalized_scores: dict[str, Score] = {}
    final_scores: dict[str, Score] = {}
    tool_error_rate: float = 0
    meta_score: int | None = None


class Item(BaseModel):
    """A run; evaluation: null where it was not judged."""

    model_config = ConfigDict(frozen=True, extra="allow", strict=True)
    evaluation: Scores | None = None
    cache_hits: Count = None
    cache_misses: Count = None


class AggregateCase(_Case):
    """other_final: the final score of the other judged subset."""

    kind: Literal["aggregate"]
    mode: EvaluationMode
    items: list[Item]
    other_final: float
    unsolved_flags: list[bool]


_CASE: TypeAdapter[Any] = TypeAdapter(
    Annotated[JudgeCase | ToolsCase | SessionCase | UnsolvedCase | AggregateCase, Field(discriminator="kind")]
)


def score_case(case: Mapping[str, Any]) -> dict[str, Any]:
    """`id`, `kind` and the fields that a golden file expects of such a case, under `published`.

    Raises:
        pydantic.ValidationError: it is no such case.
    """
    read = _CASE.validate_python(dict(case))
    return {"id": read.id, "kind": read.kind, **_SCORE_FUNCTIONS[read.kind](read)}


# A judgement: replies played back to the loops that ask.


class _Replies:
    """A model whose replies are given. temperatures: of the requests so far."""

    def __init__(self, replies: Sequence[Reply]) -> None:
        self._replies, self.temperatures = replies, list[float]()

    def __call__(self, temperature: float) -> str:
        reply = self._replies[min(len(self.temperatures), len(self._replies) - 1)]
        self.temperatures.append(temperature)
        if isinstance(reply, Failure):
            raise NoConnection if reply.error == "APIConnectionError" else AskedInVain
        if reply is None:
            raise AskedInVain
        return reply


def _judge(case: JudgeCase) -> dict[str, Any]:
    judge, meta = _Replies(case.judge_replies), _Replies(case.meta_replies or [None])
    verdict = ask_judge(judge, DIMENSIONS[_mode(case.mode)])
    rating = meta_judged(meta) if verdict and case.meta_replies else None
    told = {
        "requests": len(judge.temperatures),
        "temperatures": judge.temperatures,
        "meta_requests": len(meta.temperatures),
        "history": transcript(case.trajectory.messages or ()),
        "judged": verdict is not None,
    }
    if verdict is None:
        return told
    rate = error_rate(case.trajectory.model_dump())
    return {**told, "parsed_result": dict(verdict.answers), **run_scores(verdict, rate, rating)}


def _mode(mode: EvaluationMode) -> Mode:
    return "multi_turn" if mode == "multi-turn" else "single_turn"


# The other kinds.


def _tools(case: ToolsCase) -> dict[str, Any]:
    return tool_calls(case.calls, case.time, frozenset(case.cached))


_SUBTASKS: dict[str, Subtask] = {"multi_turn": "multi", "single_turn": "single", "unsolved": "unsolved"}


def _session(case: SessionCase) -> dict[str, Any]:
    played: PlayedSession = play(case.data, _SUBTASKS[case.mode], case.agent, case.user)
    return {**played.record, "agent_requests": played.agent_requests, "user_requests": played.user_requests}


def _unsolved_figures(case: UnsolvedCase) -> dict[str, Any]:
    verdict = first_message(case.trajectory.messages)
    return {
        "first_assistant_reply": verdict.reply,
        "has_unsolved": verdict.said,
        "unsolved_score": verdict.score,
    }


def _aggregate(case: AggregateCase) -> dict[str, Any]:
    statistics = statistics_of(_mode(case.mode), [item.model_dump() for item in case.items])
    final = statistics["final_average_scores_100"].get(OVERALL)
    solved = accuracy(case.unsolved_flags)
    told: dict[str, Any] = {"statistics": statistics, "unsolved_accuracy": solved}
    if final is None:
        return {**told, "subset_scores_printed": None, "overall_printed": None}
    subsets = (final, case.other_final, solved * 100)
    return {
        **told,
        "subset_scores_printed": [f"{score:.2f}" for score in subsets],
        "overall_printed": f"{rounded_overall(subsets):.2f}",
    }


_SCORE_FUNCTIONS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "judge": _judge,
    "tools": _tools,
    "session": _session,
    "unsolved": _unsolved_figures,
    "aggregate": _aggregate,
}
