"""Episodes over HTTP and WebSocket, without a network; and the server itself, once."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from benchmark.cassettes import read_cassette
from environments import Environment
from environments.client import Client, ServerGone, ServerRefusal
from environments.service import MOST_BODY, EnvironmentApp
from sandbox.worlds import open_world
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


def test_an_ended_episode_leaves_its_state_alone(environment_of: EnvironmentOf) -> None:
    app = EnvironmentApp(environment_of("tripscore"), TOKEN)
    _, told = ask(app, "POST", "/reset", b'{"seed": 3}')
    id_ = told["observation"]["metadata"]["episode_id"]
    step = json.dumps({"episode_id": id_, "action": "There is no such plan."}).encode()
    assert ask(app, "POST", "/step", step)[1]["done"] is True
    assert not app._episodes
    assert ask(app, "GET", f"/state?episode_id={id_}")[1] | {"task": ""} == {
        "episode_id": id_,
        "step_count": 1,
        "task": "",
        "seed": 3,
        "turns": 1,
        "done": True,
    }
    status, told = ask(app, "POST", "/step", step)
    assert status == 409 and "reset" in told["error"]


def test_a_log_without_room_is_told_of(
    starter_pack: Path, task_file: Callable[[str], Path], tmp_path: Path
) -> None:
    logs = tmp_path / "logs"
    app = EnvironmentApp(
        Environment("tripscore", open_world(starter_pack), [task_file("tripscore")], logs=logs), TOKEN
    )
    _, told = ask(app, "POST", "/reset")
    id_ = told["observation"]["metadata"]["episode_id"]
    away = logs.rename(tmp_path / "away")
    status, told = ask(app, "POST", "/step", json.dumps({"episode_id": id_, "action": 7}).encode())
    assert status == 507 and "No such file" in told["error"]
    assert ask(app, "POST", "/reset")[0] == 507
    away.rename(logs)
    assert ask(app, "POST", "/step", json.dumps({"episode_id": id_, "action": "No."}).encode())[0] == 200
    assert read_cassette(logs / f"{id_}.jsonl").log[-1].body.type == "session_finished"


@contextmanager
def serve_episodes(
    task_file: Path, pack: Path, folder: Path, port: int = 0
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The server with its address."""
    secret = folder / "token"
    secret.write_text(TOKEN, "utf-8")
    given = [
        "--tasks",
        task_file,
        "--world",
        pack,
        "--token-file",
        secret,
        "--logs",
        folder / "logs",
        "--port",
        port,
    ]
    command = [sys.executable, "-m", "environments.server", "--suite", "tripbench", *map(str, given)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline().split(": ")[0]
        finally:
            process.kill()


def play_until_gone(client: Client, seed: int, answers: Queue[Any]) -> str:
    """What a client is told of a server that has gone; each of its answers is put into the queue."""
    answers.put(client.reset(seed=seed))
    for number in count():
        try:
            call = {"name": "get_city_center_coords", "arguments": {"city_name": f"{number}"}}
            answers.put(client.step({"tool_calls": [call]}))
        except ServerGone as gone:
            return str(gone)
    raise AssertionError


def test_a_server_that_takes_too_long_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("environments.client._TIMEOUT_S", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes connections and says nothing
        client = Client(f"http://127.0.0.1:{silent.getsockname()[1]}", TOKEN)
        with pytest.raises(ServerGone, match="does not answer"):
            client.reset()


@pytest.mark.slow
def test_a_killed_server_leaves_whole_logs_and_its_clients_play_on(
    starter_pack: Path, task_file: Callable[[str], Path], tmp_path: Path
) -> None:
    tasks, size = task_file("tripbench"), 8
    answers = [Queue[Any]() for _ in range(size)]
    with serve_episodes(tasks, starter_pack, tmp_path) as (process, url), ThreadPoolExecutor(size) as pool:
        clients = [Client(url, TOKEN) for _ in range(size)]
        assert clients[0].reset(seed=1) and clients[0].step("Hello.")["reward"] == 0.0
        assert clients[0].state()["step_count"] == 1
        with pytest.raises(ServerRefusal, match="name one"):
            clients[0].reset(task="nowhere")
        ends = [pool.submit(play_until_gone, *each) for each in zip(clients, count(), answers, strict=False)]
        told = [[own.get(timeout=60) for _ in range(3)] for own in answers]
        process.kill()
        assert all("start the server again, then call `repeat`" in end.result() for end in ends)
    for client, own, rest in zip(clients, told, answers, strict=True):
        cassette = read_cassette(tmp_path / "logs" / f"{client.episode_id}.jsonl")
        own += list(rest.queue)
        assert [event.seq for event in cassette.log] == [*range(1, len(cassette.log) + 1)]
        assert len(cassette.exchanges) - (len(own) - 1) in (0, 1)  # the last may have had no answer
    with pytest.raises(ServerGone, match="does not answer"):
        clients[0].repeat()
    with serve_episodes(tasks, starter_pack, tmp_path, port=int(url.rpartition(":")[2])):
        for client, own in zip(clients[:2], told, strict=False):
            lost = client.episode_id
            with pytest.raises(ServerGone, match="was started again"):
                client.step("Hello.")
            again = client.repeat()
            assert (
                client.episode_id != lost
                and again["observation"]["messages"] == own[-1]["observation"]["messages"]
            )
            assert client.state()["step_count"] == len(own) - 1
            assert client.step("Hello.")["done"] is False
