"""Hundreds of episodes at once in one thread, with a policy that answers after 5 s: what the harness adds.

`python -m tests.bench.environments [SUITE …] [--episodes 200] [--answer 5] [--rounds 3] [--profile]`. The policy says
what the benchmark's built-in agent says in the same episode, which is found out before the clock runs. Told are the
share of an episode's time that it does not wait for the policy, the processor's, memory, and gaps in logs.

`--http` has a server play them, whose clients are threads of this process; the processor and memory are the server's.
`--kill SECONDS` kills it (SIGKILL) in its first round, and starts it again: the clients play on.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import json
import os
import pstats
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmark.cassettes import read_cassette
from benchmark.core.actions import Action, CallTools, Say
from benchmark.core.participant import BuiltIn
from benchmark.core.view import AGENT
from benchmark.suites import SUITES, suite_named
from environments import Environment, Episode
from environments.client import Client, ServerGone
from sandbox.toolsets import toolset_named
from sandbox.worlds import World, open_world
from sandbox.worlds.starter import build_starter

EPISODES, ANSWER_S, ROUNDS, TASKS = 200, 5.0, 3, 6
SPREAD = 0.2
MOST_ACTIONS = 60
TOKEN = "a-token-for-the-bench"
START_S = 60.0


@dataclass
class Measure:
    """Of all episodes of a benchmark. waited_s: for the policy. answers_s: from each of its answers to what it is
    asked next, other episodes' turns included. busy_s: of the processor. memory: MB after each round. gone: how often
    a client found no server.
    """

    ended: int = 0
    waited_s: float = 0.0
    answers_s: list[float] = field(default_factory=list)
    busy_s: float = 0.0
    elapsed_s: float = 0.0
    memory: list[float] = field(default_factory=list)
    gone: int = 0

    @property
    def steps(self) -> int:
        """Actions that were answered."""
        return len(self.answers_s)

    @property
    def share(self) -> float:
        """Of an episode's time that is the harness's."""
        return sum(self.answers_s) / (sum(self.answers_s) + self.waited_s)

    def words(self) -> str:
        """In a line."""
        ways = sorted(self.answers_s)
        median, p95 = (ways[int(len(ways) * part)] for part in (0.5, 0.95))
        held = ", ".join(f"{held:.0f}" for held in self.memory)
        lost = f"{self.gone} clients found no server and played on; " if self.gone else ""
        return (
            f"{self.ended} ended, {self.steps} actions; {lost}harness {self.share:.2%} of an episode's time, "
            f"median {median:.3f} s, p95 {p95:.3f}, slowest {ways[-1]:.2f}; "
            f"{self.busy_s / self.steps * 1000:.1f} ms of the processor an action, "
            f"{self.busy_s / self.elapsed_s:.0%} of one; MB after each round: {held}"
        )


@dataclass(frozen=True)
class Part:
    """An episode with what its policy says."""

    task: str
    seed: int
    actions: Sequence[Mapping[str, Any]]


def record_parts(environment: Environment, tasks: int) -> list[Part]:
    """Of the first tasks, each with a seed of its own."""
    return [record_part(environment, task, seed) for seed, task in enumerate([*environment.tasks][:tasks])]


def record_part(environment: Environment, task: str, seed: int) -> Part:
    """What the built-in agent does in an episode."""
    play = environment.suite.play
    kind = next(kind for kind in play.cast().agents.values() if isinstance(kind, BuiltIn))
    episode, actions = environment.reset(task, seed), list[Mapping[str, Any]]()
    opened = episode.conversation.state.opening
    context = play.seat_context(episode.setting, AGENT, toolset_named(opened.sandbox.toolset))
    agent = kind.make(context)
    while not episode.is_over and len(actions) < MOST_ACTIONS:
        actions.append(message_of(agent.act(episode.conversation.view(AGENT).view())))
        episode.step(actions[-1])
    return Part(task, seed, actions)


def message_of(action: Action) -> Mapping[str, Any]:
    """An action as a policy gives it."""
    match action:
        case Say():
            return {"content": action.content}
        case CallTools():
            calls = [{"name": call.name, "arguments": json.dumps(call.arguments)} for call in action.calls]
            return {"content": action.note, "tool_calls": calls}
    return {"content": "I have nothing to say."}


async def play_part(environment: Environment, part: Part, answer_s: float, measure: Measure) -> Episode:
    """One episode; the clock of the harness runs from each answer until the policy is asked again."""
    chance = random.Random(f"{part.task} {id(part)} {measure.steps}")
    await asyncio.sleep(chance.uniform(0, answer_s))
    episode = environment.reset(part.task, part.seed)
    for action in part.actions:
        delay = answer_s * chance.uniform(1 - SPREAD, 1 + SPREAD)
        due = time.perf_counter() + delay
        await asyncio.sleep(delay)
        if episode.is_over:
            break
        episode.step(action)
        measure.waited_s += delay
        measure.answers_s.append(time.perf_counter() - due)
    measure.ended += episode.is_over
    return episode


async def play_round(
    environment: Environment, parts: Sequence[Part], count: int, answer_s: float, measure: Measure
) -> None:
    """So many episodes side by side."""
    busy, begun = time.process_time(), time.perf_counter()
    every = [parts[number % len(parts)] for number in range(count)]
    await asyncio.gather(*(play_part(environment, part, answer_s, measure) for part in every))
    measure.busy_s += time.process_time() - busy
    measure.elapsed_s += time.perf_counter() - begun
    measure.memory.append(memory_mb())


def memory_mb(process: int | str = "self") -> float:
    """What a process holds now, by default this one."""
    status = Path(f"/proc/{process}/status").read_text("utf-8")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def measure_suite(
    suite: str,
    world: World,
    logs: Path,
    *,
    episodes: int = EPISODES,
    answer_s: float = ANSWER_S,
    rounds: int = ROUNDS,
    tasks: int = TASKS,
    around: Callable[[Callable[[], None]], None] = lambda run: run(),
) -> tuple[Measure, list[str]]:
    """What a benchmark costs, and what is wrong with its logs."""
    environment = Environment(suite, world)
    parts = record_parts(environment, tasks)
    logs.mkdir(parents=True, exist_ok=True)
    environment.logs = logs
    measure = Measure()

    def run() -> None:
        for _ in range(rounds):
            asyncio.run(play_round(environment, parts, episodes, answer_s, measure))

    around(run)
    return measure, faults_of_logs(logs)


@dataclass
class Server:
    """`environments.server` in a process of its own, always at the same port."""

    suite: str
    logs: Path
    pack: Path
    port: int = 0
    process: subprocess.Popen[str] | None = None
    is_up: threading.Event = field(default_factory=threading.Event)

    def start(self) -> None:
        """Return once it listens."""
        given = ["--suite", self.suite, "--world", self.pack, "--logs", self.logs, "--port", self.port]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "environments.server", *map(str, given)],
            env={**os.environ, "CARAVAN_ENVIRONMENT_TOKEN": TOKEN},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        told = self.process.stdout.readline()
        self.port = int(told.split(": ")[0].rpartition(":")[2])
        self.is_up.set()

    def kill(self) -> None:
        """At once, whatever it does (SIGKILL)."""
        self.is_up.clear()
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def busy_s(self) -> float:
        """Of the processor, since it was started."""
        assert self.process is not None
        fields = Path(f"/proc/{self.process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def play_over_http(server: Server, part: Part, answer_s: float, number: int, measure: Measure) -> None:
    """One episode of a client; where the server has gone it waits for it, and plays on."""
    chance = random.Random(f"{part.task} {number}")
    client = Client(f"http://127.0.0.1:{server.port}", TOKEN)

    def ask(
        call: Callable[[], dict[str, Any]], prepare: Callable[[], object] = lambda: None
    ) -> dict[str, Any]:
        is_first = True
        while True:
            try:
                if not is_first:
                    prepare()
                return call()
            except ServerGone:
                measure.gone += is_first
                is_first = False
                server.is_up.wait(START_S)

    time.sleep(chance.uniform(0, answer_s))
    told = ask(lambda: client.reset(part.task, part.seed))
    for action in part.actions:
        if told["done"]:
            break
        delay = answer_s * chance.uniform(1 - SPREAD, 1 + SPREAD)
        time.sleep(delay)
        begun = time.perf_counter()
        told = ask(lambda action=action: client.step(action), client.repeat)  # type: ignore[misc]
        measure.waited_s += delay
        measure.answers_s.append(time.perf_counter() - begun)
    measure.ended += told["done"]


def measure_server(
    server: Server, parts: Sequence[Part], episodes: int, answer_s: float, rounds: int, kill_s: float | None
) -> Measure:
    """What a benchmark costs behind a server."""
    measure = Measure()
    server.start()
    try:
        for round_ in range(rounds):
            busy, begun = server.busy_s(), time.perf_counter()
            with ThreadPoolExecutor(episodes) as pool:
                played = [
                    pool.submit(play_over_http, server, parts[at % len(parts)], answer_s, at, measure)
                    for at in range(episodes)
                ]
                if kill_s is not None and round_ == 0:
                    time.sleep(kill_s)
                    busy -= server.busy_s()
                    server.kill()
                    server.start()
                for each in played:
                    each.result()
            measure.busy_s += server.busy_s() - busy
            measure.elapsed_s += time.perf_counter() - begun
            assert server.process is not None
            measure.memory.append(memory_mb(server.process.pid))
    finally:
        server.kill()
    return measure


def faults_of_logs(logs: Path) -> list[str]:
    """What is wrong with the cassettes in a folder."""
    return [fault for path in sorted(logs.iterdir()) for fault in faults_in(path)]


def faults_in(path: Path) -> list[str]:
    """What is wrong with a cassette; reading it refuses gaps."""
    try:
        log = read_cassette(path).log
    except ValueError as error:
        return [f"{path.name}: {error}"]
    return [] if [event.seq for event in log] == [*range(1, len(log) + 1)] else [f"{path.name}: a gap"]


def show_profile(run: Callable[[], None]) -> None:
    """Run it, and print where the time went."""
    profile = cProfile.Profile()
    profile.runcall(run)
    pstats.Stats(profile).sort_stats("cumulative").print_stats(30)


def main() -> None:
    names = [name for name in SUITES if suite_named(name).policy_seat is not None]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suites", nargs="*", choices=[*names, []], default=names)
    parser.add_argument("--episodes", type=int, default=EPISODES)
    parser.add_argument("--answer", type=float, default=ANSWER_S, metavar="SECONDS")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--http", action="store_true")
    parser.add_argument("--kill", type=float, metavar="SECONDS")
    chosen = parser.parse_args()
    sizes = {"episodes": chosen.episodes, "answer_s": chosen.answer, "rounds": chosen.rounds}
    with tempfile.TemporaryDirectory() as folder:
        pack = Path(folder) / "starter.sqlite3"
        build_starter(pack)
        for suite in chosen.suites:
            logs = Path(folder) / suite
            if chosen.http:
                parts = record_parts(Environment(suite, open_world(pack)), TASKS)
                measure = measure_server(Server(suite, logs, pack), parts, **sizes, kill_s=chosen.kill)
                faults = faults_of_logs(logs)
            else:
                around = show_profile if chosen.profile else lambda run: run()
                measure, faults = measure_suite(suite, open_world(pack), logs, **sizes, around=around)
            told = f"{suite}{' over HTTP' * chosen.http}: {chosen.rounds} × {chosen.episodes} episodes"
            print(
                f"{told}, {measure.words()}; {len(faults)} faults in {len([*logs.iterdir()])} logs",
                flush=True,
            )
            print("\n".join(faults[:10]), end="\n" if faults else "")


if __name__ == "__main__":
    main()
