"""The reward server under load: `python -m tests.scale.reward_server [--kb 20] [--plans 100000]`.

Clients in a closed loop send batches of plans, good and bad; every answer is compared with the one that the rules
give without a server.
"""

from __future__ import annotations

import argparse
import copy
import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import quantiles
from time import monotonic, perf_counter
from typing import Any

import orjson

from benchmark.agents.briefing import fence_plan
from benchmark.rewards.batch import Rewards
from benchmark.suites.tripscore.planner.agent import make_plan
from benchmark.suites.tripscore.tasks import STARTER, Task
from tests import ROOT
from tests.scale.traveleval import break_plan

TOKEN = "a-token-of-the-load-test"
TASKS = 24
BATCH = 64
CLIENTS = 4
BAD_SHARE = 0.25


def sized_tasks(kb: int, count: int = TASKS) -> list[dict[str, Any]]:
    """Tasks of the starter set with at least `kb` KB of reference: attractions are added under other ids."""
    lines = [json.loads(line) for line in STARTER[0].read_text("utf-8").splitlines()]
    tasks = sorted(lines, key=lambda line: abs(_size(line) - kb * 1000))[:count]
    return [_fill_up(copy.deepcopy(task), kb * 1000) for task in tasks]


def _size(task: dict[str, Any]) -> int:
    return len(json.dumps(task["reference"], ensure_ascii=False).encode())


def _fill_up(task: dict[str, Any], wanted: int) -> dict[str, Any]:
    places: list[dict[str, Any]] = task["reference"]["attractions"]
    own, lacks, nth = list(places), wanted - _size(task), 0
    while lacks > 0:
        place = own[nth % len(own)]
        nth += 1
        more = {**place, "id": f"{place['id']}-{nth}", "name": f"{place['name']} {nth}"}
        places.append(more)
        lacks -= len(json.dumps(more, ensure_ascii=False).encode()) + 2
    return task


def items_of(tasks: list[dict[str, Any]], seed: int = 0) -> list[dict[str, Any]]:
    """For each task its planner's plan, as an object and as an answer, and broken ones in a share of BAD_SHARE."""
    random, items = Random(seed), list[dict[str, Any]]()
    for raw in tasks:
        plan = make_plan(Task.model_validate(raw))
        for nth in range(8):
            if random.random() < BAD_SHARE:
                broken = break_plan(copy.deepcopy(plan), random)
                told = random.choice(
                    [{"plan": broken}, {"answer": fence_plan(plan)[: random.randint(0, 900)]}]
                )
                items.append({"task": raw["id"], **told})
            else:
                items.append(
                    {"task": raw["id"], **({"plan": plan} if nth % 2 else {"answer": fence_plan(plan)})}
                )
    return items


@contextmanager
def running_server(tasks: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server over a task file on a free port, and its process; it is stopped by SIGTERM."""
    command = [sys.executable, "manage.py", "reward_server", "--tasks", str(tasks), "--port", "0", *options]
    variables = {**os.environ, "CARAVAN_REWARD_TOKEN": TOKEN}
    server = subprocess.Popen(command, cwd=ROOT, env=variables, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        line = server.stdout.readline()
        assert line, "the server did not begin"
        yield server, int(line.split("/score")[0].rpartition(":")[2])
    finally:
        if server.poll() is None:
            server.send_signal(signal.SIGTERM)
        server.wait(60)


def cpu_seconds(pid: int) -> float:
    """Processor time, of a server and the processes that score."""
    stats = [
        Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split() for one in (pid, *children(pid))
    ]
    return sum(int(stat[11]) + int(stat[12]) for stat in stats) / os.sysconf("SC_CLK_TCK")


def children(pid: int) -> list[int]:
    """The processes that score, on Linux."""
    listed = [path.read_text().split() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    return [
        int(child)
        for own in listed
        for child in own
        if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


def memory_mb(pid: int) -> float:
    """Resident, of a server and the processes that score."""
    pages = [int(Path(f"/proc/{one}/statm").read_text().split()[1]) for one in (pid, *children(pid))]
    return sum(pages) * os.sysconf("SC_PAGE_SIZE") / 1e6


class Client(threading.Thread):
    """Sends batches one after another over one connection."""

    def __init__(
        self, port: int, bodies: list[tuple[bytes, list[Any]]], until: int, done: list[float]
    ) -> None:
        super().__init__()
        self._port, self._bodies, self._until, self._times = port, bodies, until, done
        self.wrong = 0

    def run(self) -> None:
        """Until all have sent enough."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=120)
        headers = {"Authorization": f"Bearer {TOKEN}"}
        random = Random(self.name)
        while len(self._times) * BATCH < self._until:
            body, wanted = random.choice(self._bodies)
            begun = perf_counter()
            connection.request("POST", "/score", body, headers)
            reply = connection.getresponse().read()
            self._times.append(perf_counter() - begun)
            told = [result["reward"] for result in orjson.loads(reply)["results"]]
            self.wrong += told != wanted
        connection.close()


def measure(kb: int, plans: int, workers: int) -> None:
    """Print what a run of some plans gives."""
    tasks = sized_tasks(kb)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tasks.jsonl"
        path.write_text("".join(json.dumps(task, ensure_ascii=False) + "\n" for task in tasks), "utf-8")
        items, random = items_of(tasks), Random(1)
        rewards = Rewards.load("tripscore", [path], {})
        bodies = []
        for _ in range(16):
            body = json.dumps({"items": random.choices(items, k=BATCH)}, ensure_ascii=False).encode()
            wanted = [result["reward"] for result in orjson.loads(rewards.answer(body))["results"]]
            bodies.append((body, wanted))
        good = sum(reward > 0 for _, wanted in bodies for reward in wanted) / (len(bodies) * BATCH)
        size = sum(len(body) for body, _ in bodies) / len(bodies) / 1000
        print(f"{kb} KB a task: {good:.0%} of plans feasible, {size:.0f} KB a batch")
        with running_server(path, "--workers", str(workers)) as (server, port):
            _drive(server.pid, port, bodies, plans)


def _drive(pid: int, port: int, bodies: list[tuple[bytes, list[Any]]], plans: int) -> None:
    done = list[float]()
    clients = [Client(port, bodies, plans, done) for _ in range(CLIENTS)]
    memory, begun, load, used = [memory_mb(pid)], monotonic(), os.getloadavg()[0], cpu_seconds(pid)
    for client in clients:
        client.start()
    while any(client.is_alive() for client in clients):
        clients[0].join(0.2)
        if len(memory) < 2 + (len(done) * BATCH * 10 // plans):
            memory.append(memory_mb(pid))
    seconds, used = monotonic() - begun, cpu_seconds(pid) - used
    marks = quantiles(done, n=100)
    wrong = sum(client.wrong for client in clients)
    print(
        f"{len(done) * BATCH} plans in {seconds:.1f} s: {len(done) * BATCH / seconds:.0f} a second; {wrong} wrong"
    )
    print(f"{len(done) * BATCH / used:.0f} a second of a processor, of which the server had {used:.1f}")
    print("a batch: " + ", ".join(f"p{at} {marks[at - 1] * 1000:.0f} ms" for at in (50, 95, 99)))
    told = [memory[0], memory[1], memory[len(memory) // 2], memory[-1]]
    print(
        "memory at the start, after a tenth, in the middle, at the end: "
        + ", ".join(f"{mb:.0f}" for mb in told)
    )
    print(f"load of the machine at the start {load:.1f}, at the end {os.getloadavg()[0]:.1f}")


def main() -> None:
    """As the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kb", type=int, default=20, help="Of reference data a task")
    parser.add_argument("--plans", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    measure(options.kb, options.plans, options.workers)


if __name__ == "__main__":
    main()
