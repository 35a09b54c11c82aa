"""Scoring sessions: what rules alone tell of one, by each profile. Judges rate the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from benchmark.core.setting import Setting
from benchmark.core.sheets import Sheet
from benchmark.metrics import BY_TASK, POOLED_TRIALS, Averaging
from benchmark.suites.base import Log
from benchmark.suites.travelbench.conversation.record import run_record
from benchmark.suites.travelbench.events import SessionOpened
from benchmark.suites.travelbench.modes import Subtask
from benchmark.suites.travelbench.scoring.scores import error_rate
from benchmark.suites.travelbench.scoring.subtasks import subtask_of
from benchmark.suites.travelbench.scoring.unsolved_verdict import Verdict, first_message, first_response
from benchmark.suites.travelbench.tasks.task import Task
from sandbox.tools.errors import ToolFailure
from sandbox.toolsets.travelbench import TOOLSET

CODE_VERSION = "2"
PUBLISHED, PAPER = "published", "paper"
_LONGEST_REPLY = 300
"""Characters of a reply that evidence shows."""


PROFILES: Mapping[str, Averaging] = {PUBLISHED: POOLED_TRIALS, PAPER: BY_TASK}
"""`published` pools the trials of all tasks, `paper` averages those of each task first (section 5)."""


def score_session(log: Log, setting: Setting[Task, None]) -> dict[str, Sheet]:
    """What `scores_by_profile` gives to the record of a session."""
    opened = log[0].body
    if not isinstance(opened, SessionOpened):
        raise ValueError("a log without its opening event can't be scored")
    record = run_record(log, trial_id=setting.trial_id)
    return _sheets(scores_by_profile(record, opened.subtask, opened.time))


def score_told(record: Mapping[str, Any], setting: Setting[Task, None]) -> dict[str, Sheet]:
    """What `scores_by_profile` gives to a published record; its task tells the time, where it is known here."""
    definition = setting.definition
    subtask, time = subtask_of(record, definition), str(definition.get("time") or "")
    return _sheets(scores_by_profile(record, subtask, time))


def _sheets(scores: Mapping[str, dict[str, Any]]) -> dict[str, Sheet]:
    return {profile: Sheet(figures, figures.pop("evidence")) for profile, figures in scores.items()}


def scores_by_profile(record: Mapping[str, Any], subtask: Subtask, time: str) -> dict[str, dict[str, Any]]:
    """The figures of a record: `unsolved`, `error_rate`, `turns`, `steps`, each None where there is none; `evidence`.

    turns are of multi-turn tasks, steps (of the model, the answer too) of single-turn ones (table 6). time: of the
    task; where nobody knows it, no date is too far ahead for `paper`. A crash has no messages, so it has no errors,
    turns and steps, and has not said that its task can't be solved.
    """
    messages = [message for message in record.get("messages") or () if isinstance(message, dict)]
    broken = [*_broken_calls(messages, time)]
    calls = _count(record, "tool_calls_count")
    rates = {
        PUBLISHED: error_rate({"tool_calls_count": calls, "tool_errors": _count(record, "tool_errors")}),
        PAPER: min(1.0, len(broken) / calls) if calls else 0.0,
    }
    verdicts = {PUBLISHED: first_message(messages), PAPER: first_response(messages)}
    lengths = {
        "turns": _length(record, "turns") if subtask == "multi" else None,
        "steps": _length(record, "total_steps") if subtask == "single" else None,
    }
    errors = {PUBLISHED: [error for error in broken if error["counted"]], PAPER: broken}
    return {
        profile: {
            "unsolved": verdicts[profile].score if subtask == "unsolved" else None,
            "error_rate": rates[profile],
            **lengths,
            "evidence": _evidence(subtask, verdicts[profile], errors[profile]),
        }
        for profile in PROFILES
    }


def _evidence(subtask: Subtask, verdict: Verdict, errors: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    reply = verdict.reply[:_LONGEST_REPLY] if isinstance(verdict.reply, str) else None
    said = {"reply": reply, "said": verdict.said} if subtask == "unsolved" else None
    return {"unsolved": said, "errors": [dict(error) for error in errors]}


def _length(record: Mapping[str, Any], name: str) -> int | None:
    """None where nobody counted: of a crash, and in a record that does not say."""
    return _count(record, name) if name in record and record.get("success") is not False else None


def _count(record: Mapping[str, Any], name: str) -> int:
    value = record.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


# Calls that a schema forbids, whether or not the published program let them pass.


def _broken_calls(messages: Sequence[Mapping[str, Any]], time: str) -> Iterator[dict[str, Any]]:
    """The calls with an error by the strict schemas (`paper`, 1), or by the record. counted: by the record too."""
    for number, (call, answer) in enumerate(_calls(messages), 1):
        counted = bool(answer and answer.get("error"))
        why = _violation(call, time)
        if counted or why:
            text = answer.get("content") if answer and counted else why
            yield {
                "call": number,
                "name": str(call.get("name")),
                "counted": counted,
                "error": str(text or "")[:_LONGEST_REPLY],
            }


def _violation(call: Mapping[str, Any], time: str) -> str:
    """What the strict schemas find wrong with a call, "" for nothing."""
    arguments = call.get("arguments")
    day = arguments.get("date") if isinstance(arguments, dict) else None
    try:
        TOOLSET.validate(call.get("name"), arguments, "zh", "strict", {"time": time or f"{day} 00:00"})
    except ToolFailure as failure:
        return failure.agent_message("zh")
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        return str(error)
    return ""


def _calls(
    messages: Iterable[Mapping[str, Any]],
) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any] | None]]:
    """Each call with its answer: the tool messages after it, in the order of the calls."""
    waiting: list[Mapping[str, Any]] = []
    for message in messages:
        if message.get("role") == "tool" and waiting:
            yield waiting.pop(0), message
            continue
        yield from ((call, None) for call in waiting)
        held = message.get("tool_calls")
        waiting = [call for call in held if isinstance(call, dict)] if isinstance(held, list) else []
    yield from ((call, None) for call in waiting)
