"""The reward server: its processes, what it refuses, how it ends."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from benchmark.rewards import server as serving
from benchmark.rewards.server import MOST_BODY, RewardApp
from benchmark.rewards.workers import Load, Workers
from tests.scale.reward_server import TOKEN, children, running_server
from tests.scale.tripscore import REFERENCE, plan, query

TASK = {"id": "own", "query": query(), "reference": REFERENCE}
BODY = json.dumps({"items": [{"task": "own", "plan": plan()}] * 3}).encode()


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tasks") / "tasks.jsonl"
    path.write_text(json.dumps(TASK))
    return path


@pytest.fixture(scope="module")
def running(tasks: Path) -> Iterator[tuple[int, int]]:
    """The process of a server, and its port; it ends well."""
    with running_server(tasks, "--workers", "1") as (process, port):
        yield process.pid, port
    assert process.returncode == 0


def ask(
    port: int, body: Any = BODY, token: str = TOKEN, path: str = "/score", **more: Any
) -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(
        "GET" if body is None else "POST", path, body, {"Authorization": f"Bearer {token}"}, **more
    )
    answer = connection.getresponse()
    told = answer.status, json.loads(answer.read())
    connection.close()
    return told


def test_a_killed_process_is_made_anew_and_its_batch_is_scored(running: tuple[int, int]) -> None:
    pid, port = running
    status, told = ask(port)
    assert status == 200 and [each["feasible"] for each in told["results"]] == [True] * 3
    assert ask(port, None, "", "/health") == (
        200,
        {"status": "ok", "suite": "tripscore", "tasks": 1, "workers": 1, "wanted": 1, "batches": 1},
    )
    (child,) = children(pid)
    os.kill(child, signal.SIGKILL)
    assert ask(port) == (200, told)
    assert children(pid) != [child]


def test_what_is_wrong_is_refused_and_the_next_is_served(running: tuple[int, int]) -> None:
    _, port = running
    assert ask(port, token="wrong")[0] == 401
    assert ask(port, b'{"items": [')[0] == 400
    assert ask(port, None)[0] == 405 and ask(port, path="/")[0] == 404
    too_large = (b" " * 2**20 for _ in range(MOST_BODY // 2**20 + 1))
    status, told = ask(port, too_large, encode_chunked=True)
    assert status == 413 and "64 MB" in told["error"]
    with socket.create_connection(("127.0.0.1", port)) as gone:
        gone.sendall(b"POST /score HTTP/1.1\r\nHost: x\r\nContent-Length: 999\r\n\r\n{")
    assert ask(port)[0] == 200


def test_a_slow_client_gets_no_more_time_than_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "BODY_S", 0.05)
    sent: list[Any] = []

    async def talk() -> None:
        workers = Workers(Load("tripscore", (), {}), 1)
        headers = [(b"authorization", f"Bearer {TOKEN}".encode())]
        scope = {"type": "http", "method": "POST", "path": "/score", "headers": headers}

        async def receive() -> dict[str, Any]:
            await asyncio.sleep(0.02)
            return {"type": "http.request", "body": b" ", "more_body": True}

        async def send(message: Any) -> None:
            sent.append(message)

        await RewardApp(workers, TOKEN, {}, 1)(scope, receive, send)
        workers.stop()

    begun = time.monotonic()
    asyncio.run(talk())
    assert sent[0]["status"] == 408 and time.monotonic() - begun < 5


def test_the_command_says_what_is_wrong_before_it_serves(
    tmp_path: Path, tasks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CARAVAN_REWARD_TOKEN", raising=False)
    with pytest.raises(CommandError, match="--token-file, CARAVAN_REWARD_TOKEN: give a token of at least 16"):
        call_command("reward_server", "--tasks", tasks)
    with pytest.raises(CommandError, match="wrong"):
        call_command("reward_server", "--tasks", tasks, "--option", "wrong=1")
    with pytest.raises(CommandError, match=r"none\.txt: No such file"):
        call_command("reward_server", "--tasks", tasks, "--token-file", tmp_path / "none.txt")
    monkeypatch.setenv("CARAVAN_REWARD_TOKEN", TOKEN)
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(CommandError, match="in use"):
        call_command("reward_server", "--tasks", tasks, "--port", taken.getsockname()[1])
