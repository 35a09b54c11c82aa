"""A client of `environments.server` over plain HTTP. OpenEnv's own works as well, at http://HOST:PORT/TOKEN."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote
from urllib.request import Request, urlopen

_TIMEOUT_S = 120.0
_MOST_SAID = 200
_REPEATS = "which plays the episode anew as far as it was answered"


class ServerRefusal(RuntimeError):
    """The server did not take a request; the message says why."""


class ServerGone(ConnectionError):
    """Nobody answers, the answer broke off, or a server that was started again does not know the episode; the message
    says what to do.
    """


class Client:
    """One episode at a time; answers are {"observation": {…}, "reward": …, "done": …}."""

    def __init__(self, url: str, token: str) -> None:
        self._url, self._token = url.rstrip("/"), token
        self.episode_id = ""
        self._start: tuple[str, int] | None = None
        self._actions: list[str | Mapping[str, Any]] = []

    def reset(self, task: str = "", seed: int = 0) -> dict[str, Any]:
        """A new episode. Raises ServerRefusal, ServerGone, OSError, as all that asks the server."""
        told = self._ask("/reset", {"task": task, "seed": seed})
        self.episode_id = told["observation"]["metadata"]["episode_id"]
        self._start, self._actions = (task, seed), []
        return told

    def step(self, action: str | Mapping[str, Any]) -> dict[str, Any]:
        """Take an action."""
        told = self._ask("/step", {"episode_id": self.episode_id, "action": action})
        self._actions.append(action)
        return told

    def repeat(self) -> dict[str, Any]:
        """The last answer again, once a server that had gone is back: a new episode of the same task and seed is
        given the same actions, as far as they were answered.
        """
        if self._start is None:
            raise ServerRefusal("there is no episode yet; call `reset` first")
        actions = self._actions
        try:
            told = self.reset(*self._start)
            for action in actions:
                told = self.step(action)
        finally:
            self._actions = actions
        return told

    def state(self) -> dict[str, Any]:
        """Where the episode is."""
        return self._ask(f"/state?episode_id={quote(self.episode_id)}")

    def _ask(self, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        sent = None if body is None else json.dumps(body).encode()
        request = Request(self._url + path, sent, {"Authorization": f"Bearer {self._token}"})
        try:
            with urlopen(request, timeout=_TIMEOUT_S) as answer:
                told: dict[str, Any] = json.load(answer)
        except HTTPError as error:
            reason = _reason(error)
            if error.code == HTTPStatus.NOT_FOUND and self.episode_id and reason.startswith("episode_id: "):
                # it was begun by this client, so that only a server that has gone meanwhile does not know it
                words = f"{self._url} was started again and has lost this episode; call `repeat`, {_REPEATS}"
                raise ServerGone(words) from error
            raise ServerRefusal(reason) from error
        except (URLError, ConnectionError, TimeoutError, HTTPException, ValueError) as error:
            reason = str(getattr(error, "reason", error)) or type(error).__name__
            words = f"{self._url} does not answer ({reason}); start the server again, then call `repeat`, "
            raise ServerGone(words + _REPEATS) from error
        return told


def _reason(error: HTTPError) -> str:
    """What a server says, or whoever answers in its place."""
    said = error.read()
    try:
        return str(json.loads(said)["error"])
    except (ValueError, LookupError, TypeError):
        return f"HTTP {error.code}: {said[:_MOST_SAID].decode('utf-8', 'replace')}"
