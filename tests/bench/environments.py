"""Hundreds of episodes at once in one thread, with a policy that answers after 5 s: what the harness adds.

`python -m tests.bench.environments [SUITE …] [--episodes 200] [--answer 5] [--rounds 2] [--profile]`. The policy says
what the benchmark's built-in agent says in the same episode, which is found out before the clock runs. Told are the
share of an episode's time that it does not wait for the policy, the processor's, memory, and gaps in logs.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import json
import pstats
import random
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmark.cassettes import read_cassette
from benchmark.core.actions import Action, CallTools, Say
from benchmark.core.participant import BuiltIn
from benchmark.core.view import AGENT
from benchmark.suites import SUITES, suite_named
from environments import Environment, Episode
from sandbox.toolsets import toolset_named
from sandbox.worlds import World, open_world
from sandbox.worlds.starter import build_starter

EPISODES, ANSWER_S, ROUNDS, TASKS = 200, 5.0, 2, 6
SPREAD = 0.2
MOST_ACTIONS = 60


@dataclass
class Measure:
    """Of all episodes of a benchmark. waited_s: for the policy. harness_s: from its answers to what it is asked next,
    other episodes' turns included. busy_s: of the processor. memory: MB after each round."""

    steps: int = 0
    ended: int = 0
    waited_s: float = 0.0
    harness_s: float = 0.0
    busy_s: float = 0.0
    elapsed_s: float = 0.0
    slowest_s: float = 0.0
    memory: list[float] = field(default_factory=list)

    @property
    def share(self) -> float:
        """Of an episode's time that is the harness's."""
        return self.harness_s / (self.harness_s + self.waited_s)


@dataclass(frozen=True)
class Part:
    """An episode with what its policy says."""

    task: str
    seed: int
    actions: Sequence[Mapping[str, Any]]


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
        spent = time.perf_counter() - due
        measure.steps += 1
        measure.waited_s += delay
        measure.harness_s += spent
        measure.slowest_s = max(measure.slowest_s, spent)
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


def memory_mb() -> float:
    """What this process holds now."""
    status = Path("/proc/self/status").read_text("utf-8")
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
    parts = [record_part(environment, task, seed) for seed, task in enumerate([*environment.tasks][:tasks])]
    logs.mkdir(parents=True, exist_ok=True)
    environment.logs = logs
    measure = Measure()

    def run() -> None:
        for _ in range(rounds):
            asyncio.run(play_round(environment, parts, episodes, answer_s, measure))

    around(run)
    return measure, [fault for path in sorted(logs.iterdir()) for fault in faults_in(path)]


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
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        build_starter(Path(folder) / "starter.sqlite3")
        world = open_world(Path(folder) / "starter.sqlite3")
        for suite in chosen.suites:
            measure, faults = measure_suite(
                suite,
                world,
                Path(folder) / suite,
                episodes=chosen.episodes,
                answer_s=chosen.answer,
                rounds=chosen.rounds,
                around=show_profile if chosen.profile else lambda run: run(),
            )
            busy, held = measure.busy_s, ", ".join(f"{held:.0f}" for held in measure.memory)
            print(
                f"{suite}: {chosen.rounds} × {chosen.episodes} episodes, {measure.ended} ended, "
                f"{measure.steps} actions; harness {measure.share:.2%} of an episode's time, slowest "
                f"{measure.slowest_s:.2f} s; {busy / measure.steps * 1000:.1f} ms of the processor an action, "
                f"{busy / measure.elapsed_s:.0%} of one; MB after each round: {held}; {len(faults)} faults in logs",
                flush=True,
            )
            print("\n".join(faults[:10]), end="\n" if faults else "")


if __name__ == "__main__":
    main()
