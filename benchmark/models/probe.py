"""Testing an endpoint: a handful of small requests that show what works."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from benchmark.models.bridge import run
from benchmark.models.calls import object_in
from benchmark.models.chat import ChatRequest, Reply
from benchmark.models.client import ModelClient
from benchmark.models.dialects import limit_parameter
from benchmark.models.failures import RETRYABLE, FailureKind, ModelFailure
from benchmark.models.listing import NOTHING, Listing, listing
from benchmark.models.setup import LimitParameter, ModelSetup, ToolProtocol
from benchmark.models.tokens import join
from benchmark.models.wording import PROBE_LANGUAGE, probe_words

Capability = Literal["chat", "streaming", "tools", "parallel_tools", "structured_output", "usage", "logprobs"]

_SILENCE_S, _WHOLE_S = 20.0, 45.0
_LONGEST = 2048
"""Tokens, so that a model which thinks first still comes to its answer."""
_PASSING_FAILURES = frozenset({"connection", "closed", "cut", "server", "rate_limit"})
"""Failures that may be over a moment later: one of them alone says nothing of what an endpoint can do."""
_UNSURE = RETRYABLE - {"malformed", "filtered", "oversized"}
"""Failures that say nothing of what the endpoint can do: nothing reached it, it was busy, or our time was over."""
_FATAL_FAILURES = frozenset({"no_key", "auth", "not_found", "connection"})
"""Failures that every other request would meet as well."""
_PAUSE_S, _LONGEST_PAUSE_S = 0.5, 10.0
_TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": probe_words("weather"),
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string", "description": probe_words("city")}},
            "required": ["city"],
        },
    },
}


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether one thing works; None where that was not found out. detail: what was seen, or why not. latency_ms: of
    its request, 0 where there was none.

    failure: the kind of failure where the request got no answer, else None. unquoted_detail: the detail without what
    a server said in place of an answer; "" where none of that is in it.
    """

    capability: Capability
    works: bool | None
    detail: str
    latency_ms: float = 0.0
    failure: FailureKind | None = None
    unquoted_detail: str = ""


@dataclass(frozen=True, slots=True)
class Probe:
    """What an endpoint can do. findings: of chat alone where chat does not work; of log-probabilities where the setup
    asks for them.

    model: as the server names itself in an answer; listing: what it lists. tools, streams, json_mode,
    limit_parameter, logprobs: the settings that work, the setup's own where nothing was found out, or neither of two
    ways works.
    """

    findings: tuple[Finding, ...]
    model: str
    tools: ToolProtocol
    streams: bool
    json_mode: bool
    limit_parameter: LimitParameter
    listing: Listing = NOTHING
    logprobs: bool = False

    @property
    def works(self) -> bool:
        """Whether a session can be held with it: everything else has a way around it."""
        return self.findings[0].works is True


@dataclass(frozen=True, slots=True)
class _ProbeAnswer:
    reply: Reply | None
    failure: ModelFailure | None

    @property
    def words(self) -> str:
        return self.reply.text.strip() if self.reply else ""

    @property
    def latency_ms(self) -> float:
        return self.reply.latency_ms if self.reply else self.failure.latency_ms if self.failure else 0.0

    def finding_of(self, capability: Capability, works: bool, detail: str) -> Finding:
        """A finding; where there was no answer, why, and that it does not work if that can be said."""
        if self.failure:
            known = None if self.failure.kind in _UNSURE else False
            told, unquoted = str(self.failure), self.failure.unquoted
            return Finding(capability, known, told, self.latency_ms, self.failure.kind, unquoted)
        return Finding(capability, works, detail, self.latency_ms)


def probe(setup: ModelSetup) -> Probe:
    """Test an endpoint; raises nothing of its.

    Takes up to seven requests' time, each of 45 s at most; one that breaks or finds the server busy is sent again.
    """
    return run(examine(setup))


async def examine(setup: ModelSetup) -> Probe:
    """The same in an event loop: first chat, whole and in pieces; then, in the way that works, the rest.

    One question after another: a server that takes one request at a time would let the others wait until our own
    time is over.
    """
    own, setup = setup, _bound_setup(setup)
    setup, whole, pieces = await _chat(setup)
    chat = _talks(whole, pieces, setup)
    listed = NOTHING if chat.failure in _FATAL_FAILURES - {"not_found"} else await listing(own)
    if not chat.works:
        return Probe((chat,), "", own.tools, own.streams, own.json_mode, limit_parameter(setup), listed)
    setup = setup.model_copy(update={"streams": pieces.reply is not None})
    tools, way = await _tools(setup)
    parallel, structured = await _parallel(setup), await _probe_json_mode(setup)
    logprobs = [await _logprobs(setup)] if own.logprobs else []
    return Probe(
        (chat, _streaming(pieces), tools, parallel, structured, _usage(whole, pieces), *logprobs),
        next(asked.reply.model for asked in (whole, pieces) if asked.reply),
        way or own.tools,
        setup.streams,
        structured.works is True,
        limit_parameter(setup),
        listed,
        any(finding.works is not False for finding in logprobs),
    )


def _bound_setup(setup: ModelSetup) -> ModelSetup:
    return setup.model_copy(
        update={
            "timeout_s": min(setup.timeout_s, _SILENCE_S),
            "deadline_s": min(setup.deadline_s, _WHOLE_S),
            "max_tokens": min(setup.max_tokens, _LONGEST),
            "tools": "native",
            "json_mode": True,
            "logprobs": False,
        }
    )


async def _chat(setup: ModelSetup) -> tuple[ModelSetup, _ProbeAnswer, _ProbeAnswer]:
    """The setup with the name of the limit that is taken; the answers as a whole and in pieces."""
    whole = await _ask(setup, _request(probe_words("ready")), streams=False)
    if _refuses_limit(whole):
        renamed = setup.model_copy(update={"limit_parameter": _other(limit_parameter(setup))})
        again = await _ask(renamed, _request(probe_words("ready")), streams=False)
        setup, whole = (setup, whole) if _refuses_limit(again) else (renamed, again)
    if whole.failure and whole.failure.kind in _FATAL_FAILURES:
        return setup, whole, whole
    pieces = await _ask(setup, _request(probe_words("count")), streams=True)
    return setup, whole, pieces


def _talks(whole: _ProbeAnswer, pieces: _ProbeAnswer, setup: ModelSetup) -> Finding:
    """Whether words came in either way. An answer without any is of no use to a session."""
    for asked in (whole, pieces):
        if asked.words:
            return asked.finding_of("chat", True, f"“{asked.words[:80]}”")
    for asked in (whole, pieces):
        if asked.reply:
            return asked.finding_of("chat", False, _wordless(asked.reply, setup))
    return whole.finding_of("chat", False, "")


def _wordless(reply: Reply, setup: ModelSetup) -> str:
    thought = "thoughts but " if reply.reasoning else ""
    return (
        f"the answer holds {thought}no words (finish reason {reply.finish_reason}, at most {setup.max_tokens} tokens "
        "in this test); allow longer answers (max_tokens), or switch the model's thinking off"
    )


def _refuses_limit(asked: _ProbeAnswer) -> bool:
    """A refusal that names the parameter."""
    failure = asked.failure
    return (
        failure is not None
        and failure.kind == "refused"
        and any(name in str(failure) for name in ("max_tokens", "max_completion_tokens"))
    )


def _other(name: LimitParameter) -> LimitParameter:
    return "max_tokens" if name == "max_completion_tokens" else "max_completion_tokens"


def _streaming(asked: _ProbeAnswer) -> Finding:
    first = asked.reply.first_ms if asked.reply else None
    if first is None:
        return asked.finding_of(
            "streaming", False, "the answer came as a whole although a stream was asked for"
        )
    return asked.finding_of("streaming", True, f"first piece after {first:.0f} ms")


async def _tools(setup: ModelSetup) -> tuple[Finding, ToolProtocol | None]:
    """Native calls; where there are none, whether the text protocol gets one, which the detail says. And the way
    that works, None where none does."""
    request = _request(probe_words("tool"), _TOOL)
    asked = await _ask(setup, request, streams=setup.streams)
    cities = _cities(asked)
    if cities:
        return asked.finding_of("tools", True, f"get_weather was called for {', '.join(cities)}"), "native"
    native = asked.finding_of("tools", False, "the model answered in words instead of a call")
    in_text = await _ask(setup.model_copy(update={"tools": "text"}), request, streams=setup.streams)
    works = bool(_cities(in_text))
    return _without_native(native, in_text, works), "text" if works else None


def _without_native(native: Finding, in_text: _ProbeAnswer, works: bool) -> Finding:
    """What is said of both ways. Where one of them failed of something that may pass, that decides nothing."""
    kinds = (native.failure, in_text.failure and in_text.failure.kind)
    passing = next((kind for kind in kinds if kind in RETRYABLE), None)
    if works:
        way = "calls in plain text work"
    elif in_text.failure:
        way = "the text protocol got no answer either: {failure}"
    else:
        way = "nor did the model follow the text protocol"
    if not works and passing is None:
        way += "; neither works, so agents cannot use tools with this model"
    known = None if passing in _UNSURE else False
    told, bare = (
        f"{detail.rstrip('.')}; {way.replace('{failure}', failure.rstrip('.'))}"
        for detail, failure in (
            (native.detail, str(in_text.failure)),
            (native.unquoted_detail or native.detail, in_text.failure.unquoted if in_text.failure else ""),
        )
    )
    unquoted = bare if bare != told else ""
    return Finding("tools", known, told, native.latency_ms, passing or native.failure, unquoted)


async def _parallel(setup: ModelSetup) -> Finding:
    asked = await _ask(setup, _request(probe_words("parallel"), _TOOL), streams=setup.streams)
    count = len(_cities(asked))
    return asked.finding_of("parallel_tools", count > 1, f"calls in one answer: {count}")


async def _probe_json_mode(setup: ModelSetup) -> Finding:
    asked = await _ask(setup, _request(probe_words("json"), json_object=True), streams=setup.streams)
    text = asked.reply.text if asked.reply else ""
    works = object_in(text) is not None
    return asked.finding_of(
        "structured_output", works, "a JSON object" if works else f"no JSON object: “{text[:80]}”"
    )


async def _logprobs(setup: ModelSetup) -> Finding:
    """Of a request with tools, in the way in which an agent is answered: some servers refuse both together."""
    asked = await _ask(
        setup.model_copy(update={"logprobs": True}),
        _request(probe_words("count"), _TOOL),
        streams=setup.streams,
    )
    reply = asked.reply
    if reply is None or reply.tokens is None:
        found = asked.finding_of("logprobs", False, reply.note if reply else "")
        only_called = reply is not None and not reply.text.strip()  # some servers list those of words alone
        return replace(found, works=None, detail=f"{found.detail} (for a call)") if only_called else found
    tokens = reply.tokens.read()
    known = sum(token.logprob is not None for token in tokens)
    lacks = reply.text.strip().encode("utf-8", "replace") not in join(tokens)
    words = ", which do not make up the words of the answer" if lacks else ""
    return asked.finding_of("logprobs", known > 0, f"of {known} of {len(tokens)} tokens{words}")


def _usage(whole: _ProbeAnswer, pieces: _ProbeAnswer) -> Finding:
    """In every way of answering that works: without figures nobody knows the cost."""
    ways = [("whole answers", whole.reply), ("streams", pieces.reply)]
    lacking = [way for way, reply in ways if reply is not None and reply.usage is None]
    if lacking:
        return Finding("usage", False, f"no token figures in {' and '.join(lacking)}")
    shown = ", ".join(
        f"{way}: {reply.usage.prompt} + {reply.usage.completion} tokens"
        for way, reply in ways
        if reply is not None and reply.usage is not None
    )
    return Finding("usage", True, shown)


async def _ask(setup: ModelSetup, request: ChatRequest, *, streams: bool) -> _ProbeAnswer:
    """Asked once more where the failure may be one of the moment."""
    asked = await _once(setup, request, streams=streams)
    if asked.failure is None or asked.failure.kind not in _PASSING_FAILURES:
        return asked
    await asyncio.sleep(min(asked.failure.retry_after_s or _PAUSE_S, _LONGEST_PAUSE_S))
    return await _once(setup, request, streams=streams)


async def _once(setup: ModelSetup, request: ChatRequest, *, streams: bool) -> _ProbeAnswer:
    client = ModelClient(setup.model_copy(update={"streams": streams}))
    try:
        return _ProbeAnswer(await client.answer(request, language=PROBE_LANGUAGE), None)
    except ModelFailure as failure:
        return _ProbeAnswer(None, failure)
    finally:
        await client.close()


def _request(question: str, *tools: dict[str, Any], json_object: bool = False) -> ChatRequest:
    return ChatRequest(({"role": "user", "content": question},), tools, json_object=json_object)


def _cities(asked: _ProbeAnswer) -> Sequence[str]:
    """The cities of the calls that are as they should be."""
    calls = asked.reply.calls if asked.reply else ()
    named = [object_in(call.arguments) for call in calls if call.name == "get_weather"]
    return [str(arguments["city"])[:80] for arguments in named if arguments and arguments.get("city")]
