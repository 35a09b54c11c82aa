"""Inspect's log format (version 2), as a .eval file or as JSON: one log a run, a sample a session, an epoch a trial.

A sample's messages are the talk as the agent saw it. Its events are a span a turn with the requests to models, the
tool calls, and every other event of our log as an `info`. Requests share a pool of messages (`events_data`), so that
a log grows with what was said and not with how often it was sent. Described at inspect.aisi.org.uk/eval-logs.html.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from hashlib import blake2b
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile

from benchmark.core.events import (
    ErrorRaised,
    Event,
    MessagePosted,
    ModelCalled,
    PersonalDataRemoved,
    SessionFinished,
    ToolCalled,
    ToolReturned,
    TurnGranted,
)
from benchmark.core.forking import elapsed_s, own_part
from benchmark.core.view import AGENT, SIMULATOR
from benchmark.exports.messages import Message, conversation_messages, reply_message
from benchmark.exports.session import RunExport, ScoreLine, SessionExport, payload_of
from benchmark.jsonlines import json_line
from benchmark.models import ChatRequest, Usage
from benchmark.models.exchange import Exchange

VERSION = 2
_STOPS = {
    "stop": "stop",
    "length": "max_tokens",
    "tool_calls": "tool_calls",
    "content_filter": "content_filter",
}
Plain = dict[str, Any]


def write_eval(file: IO[bytes], run: RunExport, sessions: Iterable[SessionExport], version: str) -> int:
    """Write a .eval file, a sample at a time; how many samples. version: of Caravan."""
    log = _Log(run, version)
    with ZipFile(file, "w", ZIP_DEFLATED) as packed:
        start = {"version": VERSION, "eval": log.spec(), "plan": log.plan()}
        packed.writestr("_journal/start.json", _json(start))
        for session in sessions:
            sample = log.sample(session)
            packed.writestr(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", _json(sample))
        packed.writestr("summaries.json", _json(log.summaries))
        packed.writestr("header.json", _json(log.header()))
    return len(log.summaries)


def write_json(file: IO[bytes], run: RunExport, sessions: Iterable[SessionExport], version: str) -> int:
    """The same as one JSON file, which is made as a whole; how many samples."""
    log = _Log(run, version)
    samples = [log.sample(session) for session in sessions]
    file.write(_json({**log.header(), "samples": samples}))
    return len(samples)


def _json(value: Any) -> bytes:
    return json_line(value).rstrip(b"\n")


class _Log:
    """What a log says of all its samples."""

    def __init__(self, run: RunExport, version: str) -> None:
        self._run, self._version = run, version
        self._epochs: Counter[str] = Counter()
        self._times: list[str] = []
        self._values: dict[str, list[float]] = defaultdict(list)
        self._models: dict[str, Plain] = {}
        self._roles: dict[str, Plain] = {}
        self.summaries: list[Plain] = []

    def sample(self, session: SessionExport) -> Plain:
        """The sample of a session, which is counted in what the log says of all."""
        self._epochs[session.task] += 1
        sample = _sample(session, self._epochs[session.task])
        for score in session.scores:
            self._values[score.name].append(float(score.value))
        for total, own in ((self._models, sample["model_usage"]), (self._roles, sample["role_usage"])):
            for name, usage in own.items():
                total[name] = _add_usage(total.get(name), usage)
        self._times += [sample["started_at"], sample["completed_at"]]
        self.summaries.append(_summary(sample))
        return sample

    def header(self) -> Plain:
        """The log without its samples; call it after them."""
        begun, ended = (min(self._times), max(self._times)) if self._times else ("", "")
        return {
            "version": VERSION,
            "status": "success",
            "eval": self.spec(),
            "plan": self.plan(),
            "results": self._results(),
            "stats": {
                "started_at": begun,
                "completed_at": ended,
                "model_usage": self._models,
                "role_usage": self._roles,
            },
        }

    def spec(self) -> Plain:
        """What was run."""
        run = self._run
        model = (run.setup.get("agent_model") or {}).get(
            "model"
        ) or f"caravan/{run.setup.get('agent', 'agent')}"
        return {
            "eval_id": run.id,
            "run_id": run.id,
            "created": run.created,
            "task": run.name or run.suite,
            "task_id": run.id,
            "task_version": 0,
            "solver": str(run.setup.get("agent", "")),
            "dataset": {"name": run.suite, "samples": len(run.tasks), "sample_ids": list(run.tasks)},
            "model": model,
            "config": {"epochs": max([*self._epochs.values(), run.trials])},
            "packages": {"caravan": self._version},
            "metadata": {"caravan": {"run": run.id, "suite": run.suite}},
        }

    def plan(self) -> Plain:
        """The agent as the one step."""
        return {"name": "plan", "steps": [{"solver": str(self._run.setup.get("agent", "")), "params": {}}]}

    def _results(self) -> Plain:
        total = len(self.summaries)
        return {
            "total_samples": total,
            "completed_samples": sum(not summary.get("error") for summary in self.summaries),
            "scores": [self._averages(name, values, total) for name, values in self._values.items()],
        }

    def _averages(self, name: str, values: Sequence[float], total: int) -> Plain:
        metrics = {"mean": {"name": "mean", "value": sum(values) / len(values), "params": {}}}
        if name in self._run.averages:
            over_tasks = {"name": "over_tasks", "value": self._run.averages[name], "params": {}}
            metrics["over_tasks"] = over_tasks
        counted = {"scored_samples": len(values), "unscored_samples": total - len(values)}
        return {"name": name, "scorer": name, "params": {}, "metrics": metrics, **counted}


# A sample.


def _sample(session: SessionExport, epoch: int) -> Plain:
    pool = _Pool()
    events = list(_events(session, pool))
    messages = [_message(message) for message in conversation_messages(session.events)]
    models, roles = _usage(session)
    played = [event for event in session.events if not isinstance(event.body, PersonalDataRemoved)]
    begun, ended = (played[at].at.isoformat() for at in (0, -1))
    seconds = elapsed_s(session.events)[-1]
    error = _error(session)
    return {
        "id": session.task,
        "epoch": epoch,
        "uuid": session.id,
        "input": str(session.about.get("query") or session.task),
        "target": "",
        "messages": messages,
        "output": _output(messages, session),
        "scores": {score.name: _score(score) for score in session.scores},
        "metadata": {
            **session.about,
            **({"notes": list(session.notes)} if session.notes else {}),
            **session.of_people,
        },
        "store": {},
        "events": events,
        "events_data": {"messages": pool.messages, "calls": []},
        "model_usage": models,
        "role_usage": roles,
        "started_at": begun,
        "completed_at": ended,
        "total_time": seconds,
        "working_time": seconds,
        "attachments": {},
        **({"error": error} if error else {}),
        **({"limit": _limit(session)} if session.status == "stopped" else {}),
    }


def _summary(sample: Plain) -> Plain:
    kept = ("id", "epoch", "uuid", "input", "target", "scores", "model_usage", "role_usage")
    times = ("started_at", "completed_at", "total_time", "working_time")
    summary = {name: sample[name] for name in (*kept, *times)}
    summary["scores"] = {name: {**score, "explanation": None} for name, score in sample["scores"].items()}
    return {
        **summary,
        "metadata": {
            name: sample["metadata"].get(name) for name in ("session", "agent", "completion_reason")
        },
        "message_count": len(sample["messages"]),
        "completed": True,
        **({"error": sample["error"]["message"]} if "error" in sample else {}),
        **({"limit": "operator"} if "limit" in sample else {}),
    }


def _score(score: ScoreLine) -> Plain:
    told = [score.metric.meaning or score.metric.help or score.metric.name, *score.evidence]
    return {"value": score.plain, "explanation": "\n".join(told), "metadata": {"metric": score.metric.key}}


def _error(session: SessionExport) -> Plain | None:
    if session.status != "crashed":
        return None
    raised = [event.body for event in session.events if isinstance(event.body, ErrorRaised)]
    detail = raised[-1].detail or raised[-1].kind if raised else ""
    words = f"{session.reason}: {detail}" if detail else session.reason
    return {"message": words, "traceback": words, "traceback_ansi": words}


def _limit(session: SessionExport) -> Plain:
    return {"type": "operator", "limit": 1, "reason": session.reason}


def _output(messages: Sequence[Plain], session: SessionExport) -> Plain:
    """The agent's last words."""
    last = next((message for message in reversed(messages) if message["role"] == "assistant"), None)
    if last is None:
        return {"model": "", "choices": [], "completion": ""}
    joined = session.seats.get(AGENT)
    model = joined.model.model if joined is not None and joined.model is not None else ""
    return {
        "model": model,
        "choices": [{"message": last, "stop_reason": "stop"}],
        "completion": last["content"],
    }


# The events of a sample.


class _Pool:
    """The messages that requests hold, each once, in the order in which they were first sent."""

    def __init__(self) -> None:
        self.messages: list[Plain] = []
        self._places: dict[bytes, int] = {}

    def refs(self, sent: Iterable[Mapping[str, Any]]) -> list[list[int]]:
        """Where these messages stand, as ranges [first, last + 1]."""
        ranges: list[list[int]] = []
        for message in sent:
            at = self._place(message)
            if ranges and ranges[-1][1] == at:
                ranges[-1][1] = at + 1
            else:
                ranges.append([at, at + 1])
        return ranges

    def _place(self, message: Mapping[str, Any]) -> int:
        digest = blake2b(json_line(message), digest_size=16).digest()
        if digest not in self._places:
            self._places[digest] = len(self.messages)
            self.messages.append({**_message(dict(message)), "id": f"m{len(self.messages)}"})
        return self._places[digest]


def _events(session: SessionExport, pool: _Pool) -> Iterator[Plain]:
    """The events in order, those of a turn inside its span."""
    since = dict(zip((event.seq for event in session.events), elapsed_s(session.events), strict=True))
    yield {**_base(session.events[0], since, "init"), "event": "sample_init", **_init(session)}
    recorded = {exchange.number: exchange for exchange in session.exchanges}
    span, calls, asked = "", 0, {}
    for event in session.events:
        body = event.body
        if isinstance(body, TurnGranted | SessionFinished) and span:
            yield {**_base(event, since, "end"), "event": "span_end", "id": span}
            span = ""
        if isinstance(body, TurnGranted):
            span = f"{session.id}-turn-{event.seq}"
            name = f"{body.speaker} · {body.kind}"
            yield {
                **_base(event, since, "span"),
                "event": "span_begin",
                "id": span,
                "name": name,
                "type": "agent",
            }
        inside = {"span_id": span} if span else {}
        if isinstance(body, ModelCalled):
            calls += 1
            yield {**_base(event, since), **inside, **_model_event(event, body, recorded.get(calls), pool)}
        elif isinstance(
            body, ToolCalled
        ):  # Inspect has one event for a call and its answer: it waits for that
            asked[body.call_id] = (event, body)
        elif isinstance(body, ToolReturned) and body.call_id in asked:
            yield {
                **_base(asked[body.call_id][0], since),
                **inside,
                **_tool(*asked.pop(body.call_id), event, body),
            }
        else:
            yield {**_base(event, since), **inside, **_info(event)}
    # a tool event of Inspect needs a result, so that a call without an answer becomes an info event
    for event, call in asked.values():
        yield {**_base(event, since), **_info(event), "metadata": {"unanswered": call.call_id}}
    if span:
        yield {**_base(session.events[-1], since, "end"), "event": "span_end", "id": span}


def _base(event: Event, since: Mapping[int, float], kind: str = "event") -> Plain:
    return {
        "uuid": f"{kind}-{event.seq}",
        "timestamp": event.at.isoformat(),
        "working_start": since[event.seq],
    }


def _init(session: SessionExport) -> Plain:
    words = str(session.about.get("query") or session.task)
    return {"sample": {"input": words, "target": "", "id": session.task, "metadata": dict(session.about)}}


def _info(event: Event) -> Plain:
    """What was said as text, anything else as data."""
    about = {"seq": event.seq, "actor": event.actor, "audience": event.audience}
    body = event.body
    if isinstance(body, MessagePosted):
        return {"event": "info", "source": body.role, "data": body.content, "metadata": about}
    return {"event": "info", "source": body.type, "data": payload_of(event), "metadata": about}


def _tool(called: Event, call: ToolCalled, returned: Event, answer: ToolReturned) -> Plain:
    failed = {"error": {"type": _kind(answer.error_kind), "message": answer.result}} if answer.error else {}
    return {
        "event": "tool",
        "id": call.call_id,
        "function": call.name,
        "arguments": _arguments(call.arguments),
        "result": answer.result,
        "completed": returned.at.isoformat(),
        "working_time": answer.latency_ms / 1000,
        "message_id": f"tool-{answer.call_id}",
        "metadata": {
            "seq": called.seq,
            "source": answer.source,
            "mode": answer.mode,
            "examples": [*answer.examples],
        },
        **failed,
    }


def _kind(error: str) -> str:
    return {"timeout": "timeout", "arguments": "parsing"}.get(error, "unknown")


def _config(request: ChatRequest) -> Plain:
    top_p = {} if request.top_p is None else {"top_p": request.top_p}
    return {"temperature": request.temperature, **top_p}


def _model_event(event: Event, call: ModelCalled, exchange: Exchange | None, pool: _Pool) -> Plain:
    request = exchange.request if exchange is not None else None
    refs = pool.refs(request.messages) if request is not None else []
    config = _config(request) if request is not None else {}
    begun = event.at - timedelta(milliseconds=call.latency_ms)
    reply = exchange.reply if exchange is not None else None
    choices = (
        []
        if reply is None
        else [
            {
                "message": {**_message(reply_message(reply)), "source": "generate", "model": call.model},
                "stop_reason": _STOPS.get(reply.finish_reason, "unknown"),
            }
        ]
    )
    failed = {} if call.answered else {"error": f"{call.outcome}: {call.detail}".rstrip(": ")}
    usage = {"usage": _tokens(call.tokens, call.cost)} if call.tokens is not None else {}
    return {
        "event": "model",
        "timestamp": begun.isoformat(),
        "model": _model(call),
        "role": role_of(call.seat),
        "input": [],
        "input_refs": refs,
        "tools": [_tool_definition(tool) for tool in request.tools] if request is not None else [],
        "tool_choice": "auto",
        "config": config,
        "output": {
            "model": call.model,
            "choices": choices,
            "completion": reply.text if reply is not None else "",
            "time": call.latency_ms / 1000,
            **usage,
        },
        "completed": event.at.isoformat(),
        "working_time": call.latency_ms / 1000,
        "metadata": {"seq": event.seq, "seat": call.seat, "endpoint": call.endpoint, "attempt": call.attempt},
        **failed,
    }


def role_of(seat: str) -> str:
    """The role of a seat: all travellers are one."""
    return {AGENT: "agent", SIMULATOR: "simulator"}.get(seat, "travellers")


def _model(call: ModelCalled) -> str:
    return call.model or call.endpoint


def _tool_definition(tool: Mapping[str, Any]) -> Plain:
    function: Mapping[str, Any] = tool.get("function", tool)
    parameters = function.get("parameters") or {}
    kept = ("properties", "required", "additionalProperties")
    return {
        "name": str(function.get("name", "")),
        "description": str(function.get("description") or ""),
        "parameters": {"type": "object", **{name: parameters[name] for name in kept if name in parameters}},
    }


def _message(message: Message) -> Plain:
    """A message of the chat protocol as Inspect has it."""
    role, content = message.get("role", "user"), message.get("content") or ""
    if message.get("reasoning_content"):
        content = [
            {"type": "reasoning", "reasoning": message["reasoning_content"]},
            {"type": "text", "text": content},
        ]
    plain: Plain = {
        "role": role if role in ("system", "user", "assistant", "tool") else "user",
        "content": content,
    }
    if message.get("tool_calls"):
        plain["tool_calls"] = [_call_entry(call) for call in message["tool_calls"]]
    if role == "tool":
        plain |= {
            "tool_call_id": str(message.get("tool_call_id", "")),
            "id": f"tool-{message.get('tool_call_id')}",
        }
    return plain


def _call_entry(call: Mapping[str, Any]) -> Plain:
    function = call.get("function", {})
    written = function.get("arguments", "")
    arguments = _object(written)
    wrong = {} if arguments is not None else {"parse_error": "the arguments are no JSON object"}
    return {
        "id": str(call.get("id", "")),
        "function": str(function.get("name", "")),
        "arguments": {"raw": written} if arguments is None else arguments,
        "type": "function",
        **wrong,
    }


def _arguments(given: Mapping[str, Any] | str) -> Plain:
    return {"raw": given} if isinstance(given, str) else dict(given)


def _object(text: Any) -> Plain | None:
    try:
        value = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


# Tokens.


def _usage(session: SessionExport) -> tuple[dict[str, Plain], dict[str, Plain]]:
    """Tokens by model and by role, of the requests whose tokens are known; without those before a fork."""
    models: dict[str, Plain] = {}
    roles: dict[str, Plain] = {}
    keys: tuple[tuple[dict[str, Plain], Callable[[ModelCalled], str]], ...] = (
        (models, _model),
        (roles, lambda call: role_of(call.seat)),
    )
    for event in own_part(session.events):
        call = event.body
        if isinstance(call, ModelCalled) and call.tokens is not None:
            for total, key in keys:
                total[key(call)] = _add_usage(total.get(key(call)), _tokens(call.tokens, call.cost))
    return models, roles


def _tokens(usage: Usage, cost: float | None) -> Plain:
    return {
        "input_tokens": usage.prompt - usage.cached,
        "output_tokens": usage.completion,
        "total_tokens": usage.prompt + usage.completion,
        "input_tokens_cache_read": usage.cached,
        "reasoning_tokens": usage.reasoning,
        **({"total_cost": cost} if cost is not None else {}),
    }


def _add_usage(total: Plain | None, usage: Plain) -> Plain:
    sums = dict(total or {})
    for name, value in usage.items():
        sums[name] = sums.get(name, 0) + value
    return sums
