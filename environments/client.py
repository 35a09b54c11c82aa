"""A client of `environments.server` over plain HTTP. OpenEnv's own works as well, at http://HOST:PORT/TOKEN."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

_TIMEOUT_S = 120.0


class ServerRefusal(RuntimeError):
    """The server did not take a request; the message says why."""


class Client:
    """One episode at a time; answers are {"observation": {…}, "reward": …, "done": …}."""

    def __init__(self, url: str, token: str) -> None:
        self._url, self._token = url.rstrip("/"), token
        self.episode_id = ""

    def reset(self, task: str = "", seed: int = 0) -> dict[str, Any]:
        """A new episode. Raises ServerRefusal, OSError."""
        told = self._ask("/reset", {"task": task, "seed": seed})
        self.episode_id = told["observation"]["metadata"]["episode_id"]
        return told

    def step(self, action: str | Mapping[str, Any]) -> dict[str, Any]:
        """Take an action. Raises ServerRefusal, OSError."""
        return self._ask("/step", {"episode_id": self.episode_id, "action": action})

    def state(self) -> dict[str, Any]:
        """Where the episode is. Raises ServerRefusal, OSError."""
        return self._ask(f"/state?episode_id={quote(self.episode_id)}")

    def _ask(self, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        sent = None if body is None else json.dumps(body).encode()
        request = Request(self._url + path, sent, {"Authorization": f"Bearer {self._token}"})
        try:
            with urlopen(request, timeout=_TIMEOUT_S) as answer:
                told: dict[str, Any] = json.load(answer)
        except HTTPError as error:
            raise ServerRefusal(json.load(error)["error"]) from error
        return told
