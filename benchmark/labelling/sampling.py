"""Which sessions are labelled: pairs of agents on the same task, or single sessions, balanced and from a seed."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

Agents = tuple[str, str]
"""Two names in their order."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A session that could be labelled. stratum: the slice that it belongs to, such as the task's difficulty."""

    id: str
    task: str
    agent: str
    stratum: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sessions of one task by different agents, as a study holds them."""

    left: Candidate
    right: Candidate

    @property
    def agents(self) -> Agents:
        """Both agents, whichever side they are on."""
        first, second = sorted((self.left.agent, self.right.agent))
        return first, second

    @property
    def stratum(self) -> str:
        return self.left.stratum


def _any_pair(first: Candidate, second: Candidate) -> bool:
    return True


def choose_pairs(
    candidates: Iterable[Candidate],
    *,
    size: int | None = None,
    most_per_agents: int | None = None,
    seed: int = 0,
    differ: Callable[[Candidate, Candidate], bool] = _any_pair,
) -> list[Pair]:
    """Pairs of sessions of one task by different agents; the same seed gives the same pairs, in any order of input.

    Every pair of agents gets as many as every other, as long as it has some, and within it every stratum likewise;
    no task comes again before the others of its stratum have had their turn. TripScore (section 3.5) took whatever
    was valid: 267, 303 and 898 of three pairs of agents; balance makes their scores equally certain. Each agent of a
    pair stands on the left as often as the other one, give or take one.

    size: how many in all, None for all; most_per_agents: how many of one pair of agents. differ: whether two sessions
    are worth comparing; it is asked only of those that would be chosen.
    """
    chance = random.Random(seed)
    waiting = _shelves(_possible(candidates), chance)
    left_first = {agents: chance.random() < 0.5 for agents in sorted(waiting)}
    chosen: list[Pair] = []
    taken: Counter[Agents] = Counter()
    strata: Counter[tuple[Agents, str]] = Counter()
    overall: Counter[str] = Counter()
    # ties between agents go by a drawn order, so that no name is favoured
    order = {agents: chance.random() for agents in sorted(waiting)}
    while waiting and (size is None or len(chosen) < size):
        agents = min(waiting, key=lambda pair_of_agents: (taken[pair_of_agents], order[pair_of_agents]))
        shelves = waiting[agents]
        stratum = min(shelves, key=lambda name: (strata[agents, name], overall[name], name))
        pair = _next_differing(shelves[stratum], differ)
        if pair is None:
            del shelves[stratum]
        else:
            straight = left_first[agents] == (taken[agents] % 2 == 0)
            chosen.append(Pair(*pair) if straight else Pair(pair[1], pair[0]))
            taken[agents] += 1
            strata[agents, stratum] += 1
            overall[stratum] += 1
        if not shelves or (most_per_agents is not None and taken[agents] >= most_per_agents):
            del waiting[agents]
    return chosen


Both = tuple[Candidate, Candidate]
Shelves = dict[Agents, dict[str, list[Both]]]
"""What is left to choose from, the next one last, by agents and stratum."""


def _possible(candidates: Iterable[Candidate]) -> Iterable[Both]:
    by_task: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in sorted(candidates, key=lambda each: (each.task, each.agent, each.id)):
        by_task[candidate.task].append(candidate)
    for sessions in by_task.values():
        yield from (
            (first, second) for first, second in combinations(sessions, 2) if first.agent != second.agent
        )


def _shelves(pairs: Iterable[Both], chance: random.Random) -> Shelves:
    pairs_by_agents: dict[Agents, dict[str, list[Both]]] = defaultdict(lambda: defaultdict(list))
    for first, second in pairs:
        pairs_by_agents[first.agent, second.agent][first.stratum].append((first, second))
    return {
        agents: {stratum: _spread(shelf, chance) for stratum, shelf in sorted(shelves.items())}
        for agents, shelves in sorted(pairs_by_agents.items())
    }


def _spread(pairs: Sequence[Both], chance: random.Random) -> list[Both]:
    """In random order, but so that each task comes once before any comes twice; the first one stands last."""
    shuffled = list(pairs)
    chance.shuffle(shuffled)
    times: Counter[str] = Counter()
    keyed = []
    for pair in shuffled:
        keyed.append((times[pair[0].task], pair))
        times[pair[0].task] += 1
    return [pair for _, pair in sorted(keyed, key=lambda entry: entry[0])][::-1]


def _next_differing(shelf: list[Both], differ: Callable[[Candidate, Candidate], bool]) -> Both | None:
    while shelf:
        pair = shelf.pop()
        if differ(*pair):
            return pair
    return None


def choose_sessions(
    candidates: Iterable[Candidate], *, per_agent: int | None = None, size: int | None = None, seed: int = 0
) -> list[Candidate]:
    """Single sessions, so many of each agent, spread over strata and tasks; the same seed gives the same ones.

    GroupTravelBench (appendix C.7) has 25 of each of four models rated.
    """
    chance = random.Random(seed)
    by_agent: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in sorted(candidates, key=lambda each: (each.agent, each.id)):
        by_agent[candidate.agent].append(candidate)
    queues = {agent: _evenly(sessions, chance)[:per_agent] for agent, sessions in sorted(by_agent.items())}
    turns = [
        (place, agent, session) for agent, queue in queues.items() for place, session in enumerate(queue)
    ]
    ordered = [session for _, _, session in sorted(turns, key=lambda turn: turn[:2])]
    return ordered[:size]


def _evenly(sessions: Sequence[Candidate], chance: random.Random) -> list[Candidate]:
    """In random order, but so that strata take turns, and within each no task comes twice before all came once."""
    shuffled = list(sessions)
    chance.shuffle(shuffled)
    times: Counter[str] = Counter()
    rounds: list[tuple[int, Candidate]] = []
    for session in shuffled:
        rounds.append((times[session.task], session))
        times[session.task] += 1
    places: Counter[str] = Counter()
    keyed = []
    for _, session in sorted(rounds, key=lambda entry: entry[0]):
        keyed.append((places[session.stratum], session))
        places[session.stratum] += 1
    return [session for _, session in sorted(keyed, key=lambda entry: entry[0])]


def count_pairs(pairs: Iterable[Pair]) -> Mapping[Agents, int]:
    """How many pairs each two agents have."""
    return Counter(pair.agents for pair in pairs)
