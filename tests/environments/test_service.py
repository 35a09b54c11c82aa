"""Episodes over HTTP and WebSocket, without a network; and the server itself, once."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from environments import Environment
from environments.client import Client, ServerRefusal
from environments.service import MOST_BODY, EnvironmentApp
from tests import ROOT

TOKEN = "0123456789abcdef"
EnvironmentOf = Callable[[str], Environment]


def ask(
    app: EnvironmentApp, method: str, path: str, body: bytes = b"", token: str = TOKEN
) -> tuple[int, Any]:
    """The status and what is answered to a request."""
    address, _, query = path.partition("?")
    scope = {"type": "http", "method": method, "path": address, "query_string": query.encode()}
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"authorization", f"Bearer {token}".encode())]
    asyncio.run(app({**scope, "headers": headers}, receive, send))
    return sent[0]["status"], json.loads(sent[1]["body"])


def talk(app: EnvironmentApp, path: str, messages: list[Any]) -> list[Any]:
    """What a socket answers."""
    coming = [{"type": "websocket.connect"}]
    coming += [{"type": "websocket.receive", "text": json.dumps(message)} for message in messages]
    coming.append({"type": "websocket.disconnect"})
    sent: list[Any] = []

    async def receive() -> Any:
        return coming.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(app({"type": "websocket", "path": path, "headers": []}, receive, send))
    return [json.loads(each["text"]) if "text" in each else each for each in sent]


def test_episodes_over_http(environment_of: EnvironmentOf) -> None:
    app = EnvironmentApp(environment_of("tripbench"), TOKEN)
    status, told = ask(app, "POST", "/reset", b'{"seed": 3}')
    assert (status, told["reward"], told["done"]) == (200, None, False)
    episode_id = told["observation"]["metadata"]["episode_id"]
    step = json.dumps({"episode_id": episode_id, "action": {"content": "Hello."}}).encode()
    status, told = ask(app, "POST", "/step", step)
    assert (status, told["reward"], told["done"]) == (200, 0.0, False)
    assert told["observation"]["error"] == "" and told["observation"]["metadata"]["turn"] == 1
    status, told = ask(app, "POST", "/step", json.dumps({"episode_id": episode_id, "action": 7}).encode())
    assert status == 200 and "give a text" in told["observation"]["error"]
    assert ask(app, "GET", f"/state?episode_id={episode_id}")[1]["step_count"] == 2


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/step", b'{"episode_id": "nowhere"}', 404),
        ("POST", "/reset", b'{"seed": -1}', 422),
        ("POST", "/reset", b"no JSON", 422),
        ("POST", "/reset", b"[" * 100_000, 422),
        ("POST", "/reset", b"x" * (MOST_BODY + 1), 413),
        ("GET", "/nowhere", b"", 404),
    ],
)
def test_a_bad_request_is_refused(
    environment_of: EnvironmentOf, method: str, path: str, body: bytes, status: int
) -> None:
    told = ask(EnvironmentApp(environment_of("tripbench"), TOKEN), method, path, body)
    assert told[0] == status and told[1]["error"]


def test_nobody_is_served_without_the_token(environment_of: EnvironmentOf) -> None:
    app = EnvironmentApp(environment_of("tripbench"), TOKEN)
    assert ask(app, "POST", "/reset", token="another")[0] == 401
    assert ask(app, "POST", f"/{TOKEN}/reset", token="another")[0] == 200
    assert ask(app, "GET", "/health", token="")[0] == 200
    (refused,) = talk(app, "/ws", [{"type": "reset"}])
    assert refused == {"type": "websocket.close", "code": 4401}


def test_a_socket_is_an_episode(environment_of: EnvironmentOf) -> None:
    app = EnvironmentApp(environment_of("tripbench"), TOKEN)
    messages: list[Any] = [
        {"type": "step", "data": {"content": "Too early."}},
        {"type": "reset", "data": {"seed": 3}},
        {"type": "step", "data": {"content": "Hello."}},
        {"type": "state"},
        {"type": "dance"},
        {"type": "close"},
    ]
    _, early, begun, stepped, state, unknown, closed = talk(app, f"/{TOKEN}/ws", messages)
    assert (early["type"], early["data"]["code"]) == ("error", "SESSION_ERROR")
    assert begun["data"]["done"] is False and stepped["data"]["reward"] == 0.0
    assert (state["data"]["step_count"], state["data"]["seed"]) == (1, 3)
    assert unknown["data"]["code"] == "UNKNOWN_TYPE" and closed["type"] == "websocket.close"


@pytest.mark.slow
def test_the_server_and_its_client(
    starter_pack: Path, task_file: Callable[[str], Path], tmp_path: Path
) -> None:
    secret = tmp_path / "token"
    secret.write_text(TOKEN, "utf-8")
    given = ["--tasks", task_file("tripbench"), "--world", starter_pack, "--token-file", secret, "--port", 0]
    command = [sys.executable, "-m", "environments.server", "--suite", "tripbench", *map(str, given)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        client = Client(process.stdout.readline().split(": ")[0], TOKEN)
        try:
            client.reset(seed=1)
            assert client.step("Hello.")["reward"] == 0.0
            assert client.state()["step_count"] == 1
            with pytest.raises(ServerRefusal, match="name one"):
                client.reset(task="nowhere")
        finally:
            process.terminate()
