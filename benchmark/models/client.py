"""Asking a model once, over any OpenAI-compatible chat endpoint."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Collection
from dataclasses import replace
from typing import Any

import httpx2
import openai

from benchmark.models.answers import Answer
from benchmark.models.chat import ChatRequest, Delta, DeltaListener, Reply, RequestedCall
from benchmark.models.diagnosis import NoAnswer, redirect_address, refusal
from benchmark.models.failures import ModelFailure
from benchmark.models.finishes import check_finish
from benchmark.models.key_mask import KeyMask
from benchmark.models.lines import Line
from benchmark.models.reading import MOST_BYTES, Body, lines, oversize_failure
from benchmark.models.sending import arguments, in_text
from benchmark.models.setup import ModelSetup
from benchmark.models.text_tools import with_calls
from benchmark.text import guarded
from sandbox.endpoints import NO_KEY, NoKey, key_in, without_key
from sandbox.tools.language import Language

_AFTER_FINISH_S = 5.0
"""How long the usage may come after an answer's last word."""
_AFTER_END_S = 0.5
"""How long a server may take to end the response after it said that nothing more comes; the connection can be used
again then."""
_CLOSED_ERRORS = (httpx2.RemoteProtocolError, httpx2.ReadError, httpx2.WriteError)
"""What a connection does that was there and is not any more: most often one that the server closed between two
requests."""


class ModelClient:
    """One endpoint. Made anywhere, used from one event loop at a time; `bridge` has a loop for a whole process."""

    def __init__(self, setup: ModelSetup) -> None:
        self._setup = setup
        self._line: Line | None = None

    @property
    def setup(self) -> ModelSetup:
        """How the model is called."""
        return self._setup

    async def answer(
        self, request: ChatRequest, told: DeltaListener | None = None, *, language: Language = "zh"
    ) -> Reply:
        """One answer to one request, without a second try.

        told: called in the event loop with pieces as they come. language: of the conversation, in which the text
        protocol for tools is explained where the setup asks for one.

        Raises:
            ModelFailure: there is none.
        """
        return await self.attempt(request, told, language=language).reply()

    def attempt(
        self, request: ChatRequest, told: DeltaListener | None = None, *, language: Language = "zh"
    ) -> Attempt:
        """The same as an object that tells how far it came."""
        return Attempt(self, request, told, language)

    async def line(self, key: str) -> Line:
        """The connections, made new where the event loop or the key is another one."""
        if self._line is None or not self._line.serves(key):
            old, self._line = self._line, Line(self._setup, key)
            if old is not None:
                await old.retire()
        return self._line

    async def close(self) -> None:
        """Close the connections when the requests under way have ended. A later request opens new ones."""
        old, self._line = self._line, None
        if old is not None:
            await old.retire()


class Attempt:
    """One request, asked once. answering: the server has begun to answer."""

    def __init__(
        self, client: ModelClient, request: ChatRequest, told: DeltaListener | None, language: Language
    ) -> None:
        self._client, self._setup, self._request = client, client.setup, request
        self._in_text = in_text(self._setup, request)
        self._payload = arguments(self._setup, request, language)
        self._listener = told
        self._answer = Answer(has_tokens=self._setup.logprobs)
        self._start = time.monotonic()
        self._first: float | None = None
        self._key, self._key_mask = NO_KEY, KeyMask()
        self.answering = False

    async def reply(self) -> Reply:
        """The answer.

        Raises:
            ModelFailure: there is none.
        """
        self._start = time.monotonic()
        try:
            self._key = _key(self._setup)
            self._key_mask = KeyMask(self._key)
            await self._ask()
            return self._finish_reply()
        except NoAnswer as none:
            raise self.failure_of(none) from None

    def failure_of(self, none: NoAnswer) -> ModelFailure:
        """The failure for people and logs."""
        return ModelFailure(
            none.kind,
            none.describe(self._setup, self._key),
            status=none.status,
            retry_after_s=none.retry_after_s,
            answering=self.answering,
            usage=none.usage,
            latency_ms=self._since(),
            unquoted=none.describe(self._setup, self._key, quoting=False),
        )

    async def _ask(self) -> None:
        """Once the answer is complete nothing that happens to the connection matters any more; an error that comes
        behind an answer which its server gave up says why."""
        try:
            async with asyncio.timeout(self._setup.deadline_s) as deadline:
                await self._exchange(deadline)
        except NoAnswer:
            if not self._answer.sound:
                raise
        except (
            TimeoutError,
            openai.OpenAIError,
            httpx2.HTTPError,
            httpx2.StreamError,
            httpx2.InvalidURL,
        ) as error:
            if not self._answer.complete:
                raise self._why(error) from None
            self._tell(self._key_mask.pieces(self._answer.rest()))

    async def _exchange(self, deadline: asyncio.Timeout) -> None:
        line = await self._client.line(self._key)
        async with (
            line.in_use() as server,
            server.chat.completions.with_streaming_response.create(
                **_light_arguments(self._payload)
            ) as response,
        ):
            self.answering = True
            await self._read(response.iter_bytes(), deadline)

    async def _read(self, pieces: AsyncIterator[bytes], deadline: asyncio.Timeout) -> None:
        body = Body(self._answer)
        async for line in lines(pieces):
            deltas = body.take(line)
            if self._answer.size > MOST_BYTES:
                raise oversize_failure()
            if deltas and body.in_pieces and self._first is None:
                self._first = self._since()
            self._tell(self._key_mask.pieces(deltas))
            self._shorten(deadline)
        self._tell(self._key_mask.pieces(body.end()))

    def _tell(self, deltas: list[Delta]) -> None:
        if self._listener is not None:
            for delta in deltas:
                self._listener(delta)

    def _shorten(self, deadline: asyncio.Timeout) -> None:
        if self._answer.complete:
            wait_s = _AFTER_END_S if self._answer.ended else _AFTER_FINISH_S
            latest = asyncio.get_running_loop().time() + wait_s
            deadline.reschedule(min(deadline.when() or latest, latest))

    def _finish_reply(self) -> Reply:
        self._tell(self._key_mask.rest())
        reply = self._key_mask.whole(self._answer.reply(self._since(), self._first))
        reply = check_finish(reply, self._setup)
        if self._answer.size > MOST_BYTES:
            raise oversize_failure()
        return with_offered_names(with_calls(reply) if self._in_text else reply, self._request)

    def _why(self, error: Exception) -> NoAnswer:
        if isinstance(error, openai.APIStatusError):
            return _status(error)
        if isinstance(error, TimeoutError):
            return NoAnswer("timeout", f"no whole answer in {self._setup.deadline_s:g} s")
        if isinstance(error, openai.APITimeoutError | httpx2.TimeoutException):
            return self._silent(error)
        if self.answering:
            return NoAnswer(
                "cut", f"the connection broke in the middle of the answer ({_cause(error, self._key)})"
            )
        if isinstance(error.__cause__, _CLOSED_ERRORS):
            return NoAnswer("closed", "the server closed the connection without an answer")
        return NoAnswer("connection", f"no connection ({_cause(error, self._key)})")

    def _silent(self, error: Exception) -> NoAnswer:
        if isinstance(error.__cause__, httpx2.ConnectTimeout):
            return NoAnswer("connection", "the server did not accept a connection in time")
        return NoAnswer("timeout", f"the server sent nothing for {self._setup.timeout_s:g} s")

    def _since(self) -> float:
        return (time.monotonic() - self._start) * 1000


def _light_arguments(arguments: dict[str, Any]) -> dict[str, Any]:
    """The same request with what is long in it where the library does not look through it, value by value."""
    long = {name: arguments[name] for name in ("messages", "tools") if name in arguments}
    rest = {name: value for name, value in arguments.items() if name not in long}
    return {**rest, "messages": [], "extra_body": {**long, **arguments.get("extra_body", {})}}


def _status(error: openai.APIStatusError) -> NoAnswer:
    headers = error.response.headers
    if 300 <= error.status_code < 400 and (target := redirect_address(str(error.request.url), headers)):
        what = f"the server redirects to {target}; write that address"
        return NoAnswer("not_found", what, words="redirect", status=error.status_code)
    return refusal(error.status_code, error.response.text, headers)


def _key(setup: ModelSetup) -> str:
    try:
        return key_in(setup.key_variable)
    except NoKey as missing:
        raise NoAnswer("no_key", f"nothing was sent: {missing}") from None
    except ValueError as wrong:
        raise NoAnswer("auth", f"the key can't be used: {wrong}") from None


def _cause(error: Exception, key: str) -> str:
    cause = error.__cause__ or error
    return without_key(key, str(cause)) or type(cause).__name__


# Tool names as models write them beside their templates' own marks.


_PARTS = guarded.compile(r"[^\w-]+")


def with_offered_names(reply: Reply, request: ChatRequest) -> Reply:
    """The reply with calls of `functions.search:0`, `search<|channel|>commentary` and the like under the name of the
    tool that is meant: the only one that was offered under a part of the name."""
    offered = {name for tool in request.tools if (name := tool.get("function", {}).get("name"))}
    calls = tuple(_match_offered(call, offered) for call in reply.calls)
    changed = [
        f"tool {old.name} taken as {new.name}"
        for old, new in zip(reply.calls, calls, strict=True)
        if old != new
    ]
    return replace(reply, calls=calls).with_note("; ".join(dict.fromkeys(changed))) if changed else reply


def _match_offered(call: RequestedCall, offered: Collection[str]) -> RequestedCall:
    if call.name in offered:
        return call
    meant = {part for part in _PARTS.split(call.name) if part in offered}
    return replace(call, name=meant.pop()) if len(meant) == 1 else call
