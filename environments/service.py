"""Episodes over HTTP and WebSocket, as OpenEnv's clients ask for them; an ASGI application.

A WebSocket at `/ws` is one episode at a time, as in OpenEnv: {"type": "reset" | "step" | "state" | "close", "data"}
gets {"type": "observation" | "state" | "error", "data"}. Plain HTTP, whose requests OpenEnv does not connect, has
`POST /reset`, whose answer names the episode, and `POST /step` and `GET /state`, which name it as `episode_id`.
"""

from __future__ import annotations

import asyncio
import hmac
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final
from urllib.parse import parse_qs

from benchmark.inputs import MB
from benchmark.jsonlines import json_line, read_json
from environments.actions import ACTION_SCHEMA
from environments.environment import Environment, NoEnvironment
from environments.episode import NO_FURTHER_ACTION, Episode, EpisodeOver
from environments.observation import StepResult

MOST_BODY: Final = 8 * MB
MOST_EPISODES: Final = 2_000
"""Episodes over plain HTTP that go on; the one that nobody has asked for longest goes first."""
MOST_ENDED: Final = 20_000
"""Episodes over plain HTTP that have ended; all that is kept of them is their state."""
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Json = dict[str, Any]


class Refusal(Exception):
    """A request that can't be answered. status: of HTTP. code: as OpenEnv names it."""

    def __init__(self, status: int, code: str, reason: str) -> None:
        super().__init__(reason)
        self.status, self.code = status, code


def observation_of(episode: Episode, result: StepResult | None = None) -> Json:
    """What a reset or a step is answered with."""
    told = episode.observation.as_json() | {"metadata": {"episode_id": episode.id}}
    if result is None:
        return {"observation": told, "reward": None, "done": episode.is_over}
    told["metadata"] |= {**result.info, "truncated": result.truncated}
    return {"observation": told, "reward": float(result.reward), "done": result.is_over}


def state_of(episode: Episode | None) -> Json:
    """Where an episode is."""
    if episode is None:
        return {"episode_id": None, "step_count": 0}
    return {
        "episode_id": episode.id,
        "step_count": episode.steps,
        "task": episode.task,
        "seed": episode.setting.seed,
        "turns": episode.turns,
        "done": episode.is_over,
    }


class EnvironmentApp:
    """Serves the episodes of one environment. All run in the thread of the loop, since none waits for anything."""

    def __init__(self, environment: Environment, token: str) -> None:
        self._environment, self._token = environment, token.encode()
        self._episodes: OrderedDict[str, Episode] = OrderedDict()
        self._endings: OrderedDict[str, Json] = OrderedDict()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request, or a socket until it closes."""
        if scope["type"] == "websocket":
            await self._talk(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)

    def _path(self, scope: Message) -> str:
        """The path behind the token, which stands before it or in a header. Raises Refusal."""
        path = str(scope["path"])
        if path == "/health":
            return path
        sent = dict(scope["headers"]).get(b"authorization", b"")
        own, _, rest = path.removeprefix("/").partition("/")
        if hmac.compare_digest(own.encode(), self._token):
            return f"/{rest}"
        if hmac.compare_digest(sent, b"Bearer " + self._token):
            return path
        words = "the token is missing or wrong; send Authorization: Bearer TOKEN, or put it first in the path"
        raise Refusal(401, "UNAUTHORIZED", words)

    async def _answer(self, scope: Message, receive: Receive, send: Send) -> None:
        try:
            path = self._path(scope)
            status, told = 200, self._route(scope["method"], path, scope, await _read(receive))
        except Refusal as refusal:
            status, told = refusal.status, {"error": str(refusal), "code": refusal.code}
        body = json_line(told)
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _route(self, method: str, path: str, scope: Message, body: bytes) -> Json:
        match method, path:
            case "GET", "/health":
                return {"status": "healthy"}
            case "GET", "/schema":
                return {
                    "action": ACTION_SCHEMA,
                    "observation": {"type": "object"},
                    "state": {"type": "object"},
                }
            case "GET", "/metadata":
                about = f"{len(self._environment.tasks)} tasks in the world {self._environment.world.name}"
                return {"name": self._environment.suite.name, "description": about}
            case "GET", "/state":
                query = parse_qs(scope["query_string"].decode("ascii", "replace"))
                id_ = query.get("episode_id", [""])[0]
                return self._endings[id_] if id_ in self._endings else state_of(self._episode(id_))
            case "POST", "/reset":
                episode = self._reset(_object(body or b"{}"))
                self._episodes[episode.id] = episode
                if len(self._episodes) > MOST_EPISODES:
                    self._episodes.popitem(last=False)
                return observation_of(episode)
            case "POST", "/step":
                asked = _object(body)
                episode = self._episode(str(asked.get("episode_id", "")))
                told = self._step(episode, asked.get("action"))
                if episode.is_over:
                    self._forget(episode)
                return told
        raise Refusal(
            404, "UNKNOWN_TYPE", "there is POST /reset, /step, GET /state, /health, /schema, /metadata, /ws"
        )

    def _forget(self, episode: Episode) -> None:
        """An ended episode takes half a megabyte."""
        del self._episodes[episode.id]
        self._endings[episode.id] = state_of(episode)
        if len(self._endings) > MOST_ENDED:
            self._endings.popitem(last=False)

    def _episode(self, id_: str) -> Episode:
        if id_ in self._endings:
            raise Refusal(409, "SESSION_ERROR", NO_FURTHER_ACTION)
        if id_ not in self._episodes:
            words = (
                "episode_id: there is no such episode; send one that /reset gave since the server was started"
            )
            raise Refusal(404, "SESSION_ERROR", words)
        self._episodes.move_to_end(id_)
        return self._episodes[id_]

    def _reset(self, asked: Mapping[str, Any]) -> Episode:
        task, seed = asked.get("task") or "", asked.get("seed")
        if not isinstance(task, str):
            raise Refusal(422, "VALIDATION_ERROR", "task: give the id of a task")
        try:
            return self._environment.reset(task, 0 if seed is None else seed)
        except NoEnvironment as error:
            raise Refusal(422, "VALIDATION_ERROR", str(error)) from error
        except OSError as error:
            raise _no_room(error) from error

    def _step(self, episode: Episode | None, action: object) -> Json:
        if episode is None:
            raise Refusal(409, "SESSION_ERROR", "there is no episode yet; send reset")
        try:
            result = episode.step(action)
        except EpisodeOver as error:
            raise Refusal(409, "SESSION_ERROR", str(error)) from error
        except OSError as error:
            raise _no_room(error) from error
        return observation_of(episode, result)

    async def _talk(self, scope: Message, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        try:
            if self._path(scope) != "/ws":
                raise Refusal(404, "UNKNOWN_TYPE", "the socket is at /ws")
        except Refusal:
            await send({"type": "websocket.close", "code": 4401})
            return
        await send({"type": "websocket.accept"})
        episode: Episode | None = None
        while (message := await receive())["type"] == "websocket.receive":
            written = message.get("text") or (message.get("bytes") or b"").decode("utf-8", "replace")
            try:
                asked = _object(written.encode("utf-8", "surrogatepass"))
                if asked.get("type") == "close":
                    break
                episode, kind, told = self._answer_message(episode, asked)
            except Refusal as refusal:
                kind, told = "error", {"message": str(refusal), "code": refusal.code}
            await send({"type": "websocket.send", "text": json_line({"type": kind, "data": told}).decode()})
            await asyncio.sleep(0)
        else:
            return
        await send({"type": "websocket.close", "code": 1000})

    def _answer_message(
        self, episode: Episode | None, asked: Mapping[str, Any]
    ) -> tuple[Episode | None, str, Json]:
        """The episode from now on, and what is answered."""
        match asked.get("type"):
            case "reset":
                data = asked.get("data")
                episode = self._reset(data if isinstance(data, Mapping) else {})
                return episode, "observation", observation_of(episode)
            case "step":
                return episode, "observation", self._step(episode, asked.get("data"))
            case "state":
                return episode, "state", state_of(episode)
        raise Refusal(422, "UNKNOWN_TYPE", "type: send reset, step, state or close")


def _no_room(error: OSError) -> Refusal:
    words = f"the log can't be written ({error.strerror}); an action was taken, and the next one is logged with it"
    return Refusal(507, "EXECUTION_ERROR", words)


def _object(body: bytes) -> Mapping[str, Any]:
    try:
        read = read_json(body)
    except (ValueError, RecursionError) as error:
        raise Refusal(422, "INVALID_JSON", str(error)) from error
    if not isinstance(read, Mapping):
        raise Refusal(422, "VALIDATION_ERROR", "send an object")
    return read


async def _read(receive: Receive) -> bytes:
    """The body of a request. Raises Refusal."""
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Refusal(400, "SESSION_ERROR", "the client has gone")
        size += len(message.get("body", b""))
        if size <= MOST_BODY:
            parts.append(message.get("body", b""))
        if not message.get("more_body"):
            break
    if size > MOST_BODY:
        raise Refusal(413, "VALIDATION_ERROR", f"the body is larger than {MOST_BODY // MB} MB; send less")
    return b"".join(parts)
