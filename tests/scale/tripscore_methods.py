"""TripScore's methods that search: `python -m tests.scale.tripscore_methods [COUNT] [PACK…]`.

COUNT queries are drawn, as many over the starter world as over each pack. Each is planned by ttg and nesy without
a model, and by `direct` over the local model server; rewards are compared in pairs. Then small programs are compared
with all their solutions.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import combinations, product
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any, NamedTuple

from benchmark.core.engine import Conversation, run
from benchmark.core.participant import BuiltIn, OverModel, SeatContext
from benchmark.core.view import AGENT
from benchmark.plans.ways import great_circle_km
from benchmark.suites.tripscore.conversation import RULES, opening_step
from benchmark.suites.tripscore.making.queries import Order, made_tasks
from benchmark.suites.tripscore.methods.requests import Request
from benchmark.suites.tripscore.methods.ttg.days import RELAXABLE, DayRows
from benchmark.suites.tripscore.methods.ttg.journey import JourneyRows
from benchmark.suites.tripscore.methods.ttg.program import Key, Program
from benchmark.suites.tripscore.methods.ttg.solving import days_of
from benchmark.suites.tripscore.participants import AGENTS
from benchmark.suites.tripscore.planner.agent import write_plan
from benchmark.suites.tripscore.planner.days import is_open_for
from benchmark.suites.tripscore.scoring.parameters import DEFAULTS
from benchmark.suites.tripscore.scoring.reward import Score, score_plan
from benchmark.suites.tripscore.scoring.trip import Lookup
from benchmark.suites.tripscore.tasks import Task
from sandbox.toolbox import world_tools
from sandbox.worlds import open_world
from sandbox.worlds.starter import build_starter
from tests.model_server import ModelServer
from tests.model_server.playing import HttpModel
from tests.scale.tripscore import daily, leg

# A program against all its solutions.


def small_task(seed: int, sights: int = 3, days: int = 2) -> Task:
    """A task of one city, small enough to try everything."""
    rng = Random(seed)
    calendars = [None, None, daily("8:00", "18:00"), daily("13:00", "23:00"), daily("17:00", "23:30")]
    tags = [[], ["museum"], ["hiking"], ["cycling"], ["theme-park", "museum"]]
    places = [
        {
            "id": f"s{n}",
            "name": f"Sight {n}",
            "city": "Elm",
            "lat": 30 + rng.random() / 5,
            "lon": 110 + rng.random() / 5,
            "tags": rng.choice(tags),
            "hours": rng.choice([1, 2, 3, 4.5]),
            "openTimeCalendar": rng.choice(calendars),
        }
        for n in range(sights)
    ]
    hotels = [
        {"id": f"h{n}", "name": f"Inn {n}", "city": "Elm", "star": rng.choice([2, 3, 5])} for n in range(2)
    ]
    last = f"0{days}"
    legs = [
        leg("1", "Home-Elm", "01T08:00", "01T10:00"),
        leg("2", "Elm-Home", f"{last}T16:30", f"{last}T19:00"),
    ]
    legs += [leg("3", "Elm-Home", f"{last}T20:10", f"{last}T22:00")]
    drawn: dict[str, Any] = {
        "budget": rng.choice(["cost-effective", "comfortable", "high-end"]),
        "pacing": rng.choice(["relaxed", "moderate", "compact"]),
        "attraction": ["museum"],
        "effort": rng.choice(["light", "moderate", "strenuous"]),
    }
    query = {
        "type": "synthetic",
        "departure_city": rng.choice(["Home", None]),
        "cities": ["Elm"],
        "days": days,
        "start_date": "2026-05-01",
        "preferences": {key: value for key, value in drawn.items() if rng.random() < 0.7},
    }
    reference = {"attractions": places, "hotels": hotels, "transportation": legs}
    return Task.model_validate({"id": f"small-{seed}", "query": query, "reference": reference})


def solved_worth(task: Task, relaxed: tuple[str, ...] = RELAXABLE) -> float | None:
    """What the program says of its best solution; None where there is none."""
    program = Program()
    DayRows(program, Request(task), JourneyRows(program, task, DEFAULTS), relaxed)
    solution = program.solve(60, 0)
    return solution.worth if solution.choice is not None else None


def best_worth(task: Task, relaxed: tuple[str, ...] = RELAXABLE) -> float | None:
    """The same by trying all choices: the gates and figures are those of the score, the rest is worked out here."""
    journey, lookup = JourneyRows(Program(), task, DEFAULTS), Lookup(task.reference)
    worths = (_worth(task, choice, journey, lookup, relaxed) for choice in _choices(task))
    return max((worth for worth in worths if worth is not None), default=None)


def _choices(task: Task) -> Iterator[frozenset[Key]]:
    days = range(task.query.days)
    slots = [
        [None, *(("see", one.id, *slot) for slot in product(days, range(3)) if _is_open(task, one, *slot))]
        for one in task.reference.attractions
    ]
    hotels = [[("sleep", one.id, night) for one in task.reference.hotels] for night in days[:-1]]
    back = [("leg", id_, len(days) - 1) for id_ in ("2", "3")]
    home = task.query.departure_city is not None
    ways = [(("leg", "1", 0), leg_home) for leg_home in back] if home else [(("begin", "Elm".casefold()),)]
    for seen, nights, way in product(product(*slots), product(*hotels), ways):
        yield (
            frozenset(
                [key for key in seen if key],
            )
            | frozenset(nights)
            | frozenset(way)
        )


def _is_open(task: Task, sight: Any, day: int, period: int) -> bool:
    return is_open_for(sight, task.query.start_date + timedelta(days=day), period, DEFAULTS)


def _worth(
    task: Task, choice: frozenset[Key], journey: JourneyRows, lookup: Lookup, relaxed: tuple[str, ...]
) -> float | None:
    seen = [key for key in choice if key[0] == "see"]
    slots = [key[2:] for key in seen]
    if any(slots.count(slot) > 2 for slot in slots):
        return None
    score = score_plan(write_plan(task, days_of(Request(task), journey, choice)), task, DEFAULTS, {}, lookup)
    if score.soft is None or score.pref is None:
        return None
    soft, pref = score.soft, {key: value for key, value in score.pref.items() if key in score.stated_wishes}
    strict = {"density": soft["schedule_density"], **{key: pref.get(key) for key in ("pacing", "budget")}}
    if any(value is not None and value < 1 for key, value in strict.items() if key not in relaxed):
        return None
    return _linear(task, score, seen)


def _linear(task: Task, score: Score, seen: list[Key]) -> float:
    """Figures that the program has whole, and what stands in it for clustering and kinds of sights."""
    assert score.soft and score.pref
    days, w1, w2 = task.query.days, DEFAULTS.w1, DEFAULTS.w2
    rules = ("schedule_density", "hotel_consistency", "daytime_utilization", "unique_attractions")
    soft = {
        **{key: score.soft[key] or 0.0 for key in rules},
        "location_clustering": 1 - _far(task, seen) / (2 * days),
    }
    wanted = {sight.id for sight in task.reference.attractions if "museum" in sight.tags}
    pref = {key: 1.0 if score.pref[key] is None else score.pref[key] or 0.0 for key in score.stated_wishes}
    if "attraction" in pref:
        pref["attraction"] = 1 - sum(key[1] not in wanted for key in seen) / (2 * days)
    whole = sum(w2[key] for key in pref) or 1.0
    good = sum(w1[key] * value for key, value in soft.items()) / sum(w1[key] for key in soft)
    return good + DEFAULTS.w4["synthetic"] * sum(w2[key] * value for key, value in pref.items()) / whole


def _far(task: Task, seen: list[Key]) -> int:
    """Pairs of a day that are among the farthest fifth of all."""
    points = {sight.id: sight.point for sight in task.reference.attractions}
    pairs = sorted(
        combinations(points, 2),
        key=lambda pair: great_circle_km(points[pair[0]], points[pair[1]]),
        reverse=True,
    )
    day_of = {key[1]: key[2] for key in seen}
    far = pairs[: len(pairs) // 5]
    return sum(one in day_of and day_of[one] == day_of.get(other) for one, other in far)


# Drawn queries, planned in each way.


class Outcome(NamedTuple):
    """Of a query. seconds: on the clock, and of the processor."""

    reward: float
    delivered: bool
    feasible: bool
    seconds: float
    processor: float


def drawn_tasks(packs: Sequence[Path], count: int, seed: int = 35) -> list[Task]:
    """So many synthetic queries in all, as many over each world."""
    orders = [(pack, Order(count // len(packs), seed=seed, prefix=pack.stem)) for pack in packs]
    lines = [line for pack, order in orders for line in made_tasks(open_world(pack), order, Counter())]
    return [Task.model_validate(line) for line in lines]


def outcome(task: Task, agent: str, server: ModelServer, pack: Path) -> Outcome:
    """Of a session of one agent, over the model server if it needs a model."""
    kind, context = AGENTS[agent], SeatContext(seat=AGENT, task=task, language=task.language)
    conversation = Conversation(RULES)
    conversation.append(opening_step(task))
    begun, used = perf_counter(), process_time()
    if isinstance(kind, OverModel):
        seat = kind.make(context, HttpModel(server.url, "good-agent:plan=simple"))
    else:
        assert isinstance(kind, BuiltIn)
        seat = kind.make(context)
    run(conversation, {AGENT: seat}, world_tools(open_world(pack), task.language))
    spent = perf_counter() - begun, process_time() - used
    score = score_plan(conversation.state.plan, task, DEFAULTS, {})
    return Outcome(score.reward, score.delivered, score.feasible, *spent)


METHODS = ("ttg_fields", "nesy_fields")
BASELINE = "direct"


def compare(
    tasks: Sequence[Task], pack: Path, methods: Sequence[str] = METHODS
) -> Mapping[str, list[Outcome]]:
    """The outcomes of each method and of the baseline, in the order of the tasks."""
    with ModelServer() as server:
        return {name: [outcome(task, name, server, pack) for task in tasks] for name in (*methods, BASELINE)}


def table(outcomes: Mapping[str, Sequence[Outcome]]) -> str:
    """A row a method; the last columns compare each query's reward with the baseline's."""
    columns = ("method", "plans", "feasible", "reward", "CondR", "s mean", "s max", "processor s max")
    head = f"| {' | '.join(columns)} | reward − {BASELINE} (95 %) | wins, ties, losses |"
    lines = [head, "|---" * 10 + "|"]
    for name, own in outcomes.items():
        gaps = [one.reward - other.reward for one, other in zip(own, outcomes[BASELINE], strict=True)]
        half = 1.96 * stdev(gaps) / len(gaps) ** 0.5 if len(gaps) > 1 else 0.0
        wins, losses = sum(gap > 1e-9 for gap in gaps), sum(gap < -1e-9 for gap in gaps)
        good = [one.reward for one in own if one.feasible]
        cells = (
            name,
            sum(one.delivered for one in own),
            sum(one.feasible for one in own),
            f"{fmean(one.reward for one in own):.4f}",
            f"{fmean(good):.4f}" if good else "–",
            f"{fmean(one.seconds for one in own):.2f}",
            f"{max(one.seconds for one in own):.2f}",
            f"{max(one.processor for one in own):.2f}",
            f"{fmean(gaps):+.4f} ± {half:.4f}",
            f"{wins}, {len(gaps) - wins - losses}, {losses}",
        )
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def main() -> None:
    """Print the table over COUNT queries, then how small programs compare with all their solutions."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    with TemporaryDirectory() as folder:
        starter = Path(folder) / "starter"
        build_starter(starter)
        _report(count, [starter, *map(Path, sys.argv[2:])])


def _report(count: int, packs: Sequence[Path]) -> None:
    tasks = drawn_tasks(packs, count)
    print(f"{len(tasks)} queries over {', '.join(pack.stem for pack in packs)}", flush=True)
    print(table(compare(tasks, packs[0])), flush=True)
    for seed in range(max(2, count // 10)):
        task = small_task(seed, sights=3 + seed % 2, days=2 - seed % 2)
        found, best = solved_worth(task), best_worth(task)
        print(f"small {seed}: {found} by the program, {best} by trying everything", flush=True)


if __name__ == "__main__":
    main()
