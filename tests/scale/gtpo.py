"""A small policy trained by GTPO and by GRPO: `python -m tests.scale.gtpo [--figure OUT.svg]`.

The task is made from TRIP-Bench: the easy and mid tasks over the starter world, without issues. What a small policy
can learn in it is to keep in mind what was asked. At each turn it decides for every instruction that is active, and
for five rules of care, whether it keeps it in mind; it knows the kind of the instruction, whether it is new, and
whether it was kept at the turn before. Its plan is the first of some ready-made ones that meets what it has kept, and
a rule of care that it has not kept is broken in half of the cases. The suite's own rules judge the plans, and the
suite's own functions make rewards and advantages of that.

One gradient step a batch, so the ratios of the objective are 1 and nothing is clipped. A decision stands for a token.
"""

from __future__ import annotations

import argparse
import copy
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

import numpy as np
from playwright.sync_api import sync_playwright

from benchmark.advantages.gtpo import (
    Normalisation,
    RolloutTurn,
    last_turn_advantages,
    turn_advantages,
)
from benchmark.labelling.resampling import mean_interval
from benchmark.suites.tripbench.making.proofs import prove_task
from benchmark.suites.tripbench.making.proving import Prover
from benchmark.suites.tripbench.plans.parameters import Parameters
from benchmark.suites.tripbench.plans.schema import ATTRACTION, LEG, LOCAL, PLAN
from benchmark.suites.tripbench.rubrics import RUBRICS
from benchmark.suites.tripbench.scoring.verdict import (
    SOUNDNESS,
    Constraint,
    Turn,
    Verdict,
    is_loose,
    is_strict,
    judge_plan,
)
from benchmark.suites.tripbench.suite import SUITE
from benchmark.suites.tripbench.tasks import TASK_FILES
from benchmark.suites.tripbench.tasks.task import Demand, Task
from sandbox.toolsets.tripbench.records import TripWorld
from sandbox.toolsets.tripbench.world import trip_world
from sandbox.worlds import open_world
from sandbox.worlds.starter import build_starter
from tests.chromium import find_chromium

GROUP: Final = 8
"""Rollouts of a task (n of Table 6)."""
BATCH: Final = 4
"""Tasks a step."""
PLANS: Final = 24
"""Ready-made plans of a task."""
RATE, DIVERGENCE = 0.05, 0.05
POINTS: Final = 10
"""Times at which a policy is evaluated while it is trained."""
PLOTLY: Final = Path("static/vendor/plotly/plotly-basic.min.js")
Json = Any
Figures = dict[str, float]
Curve = list[Figures]
Array = np.ndarray[Any, np.dtype[Any]]


def _activities(plan: Json, kind: str) -> Iterator[tuple[list[Json], Json]]:
    for day in plan[PLAN]["daily_schedule"]:
        yield from ((day["activities"], each) for each in day["activities"] if each["type"] == kind)


def _change_party(plan: Json) -> None:
    plan[PLAN]["number_of_people"] += 1


def _name_nothing(plan: Json) -> None:
    next(_activities(plan, ATTRACTION))[1]["id"] = "nowhere"


def _buy_more(plan: Json) -> None:
    next(_activities(plan, LEG))[1]["products"][0]["quantity"] += 1


def _hurry(plan: Json) -> None:
    visit = next(_activities(plan, ATTRACTION))[1]
    start = visit["time"].split("-")[0]
    hour, minute = map(int, start.split(":"))
    visit["time"] = f"{start}-{hour:02d}:{minute + 1:02d}" if minute < 59 else f"{start}-{hour + 1:02d}:00"


def _forget_way(plan: Json) -> None:
    day, way = next(_activities(plan, LOCAL))
    day.remove(way)


CARE: Final[Mapping[str, Callable[[Json], None]]] = {
    "care.frame": _change_party,
    "care.items": _name_nothing,
    "care.tickets": _buy_more,
    "care.visits": _hurry,
    "care.ways": _forget_way,
}
KEYS: Final = (*RUBRICS, *CARE)
IS_NEW, WAS_KEPT, WAS_LOST = len(KEYS), len(KEYS) + 1, len(KEYS) + 2
"""Features beside the kinds: first asked for at this turn; kept at the turn before, and not kept there."""
FEATURES: Final = len(KEYS) + 3


class Step(NamedTuple):
    """A turn of a task. active: ids of instructions; items: what can be kept, as (name, feature of its kind)."""

    active: tuple[str, ...]
    items: tuple[tuple[str, int], ...]


@dataclass
class Game:
    """A task with ready-made plans. verdicts: by plan and rules that are broken, once asked for."""

    world: TripWorld
    task: Task
    plans: list[Json]
    verdicts: dict[tuple[int, tuple[str, ...]], Verdict] = field(default_factory=dict)

    def __post_init__(self) -> None:
        clean = [self.judge(at, ()) for at in range(len(self.plans))]
        self.met_by_plan = [{id_ for id_, holds in each.user.items() if holds} for each in clean]
        issued = list[str]()
        self.steps = list[Step]()
        for node in self.task.nodes:
            issued += [each.id for each in node.instructions]
            held = self.task.demand_after(issued).constraints
            rules = [(key, KEYS.index(key)) for key in CARE]
            own = [(id_, KEYS.index(each.rubric)) for id_, each in held.items()]
            self.steps.append(Step(tuple(held), (*own, *rules)))

    @classmethod
    def of_task(cls, world: TripWorld, task: Task) -> Game:
        """Plans for what holds at some turn, for single instructions and for some of them."""
        random, plans = (
            Random(task.id),
            [each["plan"] for each in prove_task(task, Prover(world, task.language))["nodes"]],
        )
        issued = [each.id for node in task.nodes for each in node.instructions]
        for _ in range(PLANS):
            held = task.demand_after(issued[: random.randint(1, len(issued))])
            some = random.sample([*held.constraints], random.randint(0, len(held.constraints)))
            demand = Demand(held.frame, {id_: held.constraints[id_] for id_ in some})
            outcome = Prover(world, task.language).try_plans(demand)
            if outcome.state == "strict":
                plans.append(outcome.plan)
        plans = [plan for at, plan in enumerate(plans) if plan is not None and plan not in plans[:at]]
        random.shuffle(plans)
        return cls(world, task, plans)

    def at_once(self) -> Game:
        """The same with its last turn alone."""
        single = copy.copy(self)
        single.steps = self.steps[-1:]
        return single

    def judge(self, plan: int, broken: tuple[str, ...]) -> Verdict:
        """By all instructions of the task."""
        if (plan, broken) not in self.verdicts:
            own = copy.deepcopy(self.plans[plan])
            for rule in broken:
                CARE[rule](own)
            asked = [Constraint(id_, each.rubric, each.args) for id_, each in self.task.instructions.items()]
            turn = Turn(self.world, self.task.meta, constraints=asked)
            self.verdicts[plan, broken] = judge_plan(own, None, turn)
        return self.verdicts[plan, broken]

    def plan_for(self, kept: set[str]) -> int:
        """The first plan that meets most of what is kept."""
        return max(range(len(self.plans)), key=lambda at: (len(kept & self.met_by_plan[at]), -at))


class Decisions(NamedTuple):
    """What a policy decided at a turn. features: items × FEATURES; chances: of keeping; choices: what it kept."""

    features: Array
    chances: Array
    choices: Array


class PlayedTurn(NamedTuple):
    """strict, loose: the verdicts on its plan by what is active."""

    decisions: Decisions
    reward: RolloutTurn
    strict: bool
    loose: bool


def start_weights() -> Array:
    """Of a policy that hears what is new and forgets it later on."""
    weights = np.zeros(FEATURES)
    weights[IS_NEW], weights[WAS_KEPT], weights[WAS_LOST] = 1.0, 1.5, -1.5
    return weights


def play(game: Game, weights: Array, random: np.random.Generator) -> list[PlayedTurn]:
    """One rollout."""
    before, turns = dict[str, bool](), list[PlayedTurn]()
    for step in game.steps:
        features = np.zeros((len(step.items), FEATURES))
        for at, (name, kind) in enumerate(step.items):
            known = before.get(name)
            features[at, [kind, IS_NEW if known is None else WAS_KEPT if known else WAS_LOST]] = 1
        chances = 1 / (1 + np.exp(-features @ weights))
        kept = random.random(len(chances)) < chances
        before = {name: bool(value) for (name, _), value in zip(step.items, kept, strict=True)}
        wishes = {id_ for id_ in step.active if before[id_]}
        broken = tuple(rule for rule in CARE if not before[rule] and random.random() < 0.5)
        verdict = game.judge(game.plan_for(wishes), broken)
        turns.append(PlayedTurn(Decisions(features, chances, kept), *_read_verdict(verdict, step.active)))
    return turns


def _read_verdict(verdict: Verdict, active: Sequence[str]) -> tuple[RolloutTurn, bool, bool]:
    """By what is active; what was not judged counts as broken in rewards."""
    flags = {**verdict.soundness, **{id_: verdict.user[id_] for id_ in active}}
    scores = {key: float(holds is True) for key, holds in flags.items()}
    wrong = verdict.feasibility_violations
    sound = sum(verdict.soundness[key] is False for key in SOUNDNESS) if verdict.is_judged else None
    user = sum(verdict.user[id_] is False for id_ in active) if verdict.is_judged else None
    verdicts = is_strict(wrong, sound, user), is_loose(wrong, sound, user, Parameters())
    return (RolloutTurn(wrong == 0, True, scores), *verdicts)


Advantages = list[list[float | None]]
Weigh = Callable[[Sequence[Sequence[PlayedTurn]]], Advantages]


def by_gtpo(parts: Normalisation) -> Weigh:
    """Advantages of each turn."""

    def weigh(rollouts: Sequence[Sequence[PlayedTurn]]) -> Advantages:
        rewards = [[turn.reward for turn in turns] for turns in rollouts]
        return turn_advantages(rewards, parts)["advantages"]

    return weigh


def by_last_turn(rollouts: Sequence[Sequence[PlayedTurn]]) -> Advantages:
    """GRPO (MT): how much better the last raw reward is than those of the group, for all turns."""
    return last_turn_advantages([[turn.reward for turn in turns] for turns in rollouts])


class Way(NamedTuple):
    """How a policy is trained. is_single: all that holds at the end of a task is asked for at once."""

    weigh: Weigh
    is_single: bool = False


WAYS: Final[Mapping[str, Way]] = {
    "GRPO (ST)": Way(by_last_turn, True),
    "GRPO (MT)": Way(by_last_turn),
    "GTPO (w/o GIN, TRD)": Way(by_gtpo(Normalisation(gin=False, trd=False))),
    "GTPO (w/o TRD)": Way(by_gtpo(Normalisation(trd=False))),
    "GTPO (w/o GIN)": Way(by_gtpo(Normalisation(gin=False))),
    "GTPO (full)": Way(by_gtpo(Normalisation())),
    "GTPO (full, GIN by group)": Way(by_gtpo(Normalisation(gin_scope="group"))),
}
PAIRS: Final = (
    *((name, "GRPO (MT)") for name in WAYS if name.startswith("GTPO")),
    ("GTPO (w/o TRD)", "GTPO (w/o GIN, TRD)"),
    ("GTPO (full)", "GTPO (w/o TRD)"),
    ("GTPO (full)", "GTPO (w/o GIN)"),
    ("GTPO (full, GIN by group)", "GTPO (w/o GIN)"),
)


def gradient(rollouts: Sequence[Sequence[PlayedTurn]], advantages: Advantages, weights: Array) -> Array:
    """Of the objective (equation 11) where the policy is the old one; the reference is the first policy."""
    total, reference = np.zeros(FEATURES), start_weights()
    for turns, own in zip(rollouts, advantages, strict=True):
        for turn, advantage in zip(turns, own, strict=True):
            features, chances, choices = turn.decisions
            gain = (advantage or 0.0) * (choices - chances)
            drift = chances * (1 - chances) * (features @ (weights - reference))
            total += (gain - DIVERGENCE * drift) @ features / (len(chances) * len(turns) * len(rollouts))
    return total


class Adam:
    """Its usual constants."""

    def __init__(self) -> None:
        self.mean, self.square, self.steps = np.zeros(FEATURES), np.zeros(FEATURES), 0

    def step(self, slope: Array) -> Array:
        """What to add."""
        self.steps += 1
        self.mean = 0.9 * self.mean + 0.1 * slope
        self.square = 0.999 * self.square + 0.001 * slope**2
        mean, square = self.mean / (1 - 0.9**self.steps), self.square / (1 - 0.999**self.steps)
        return RATE * mean / (np.sqrt(square) + 1e-8)


def train(games: Sequence[Game], weigh: Weigh, seed: int, steps: int) -> list[Array]:
    """The weights at the start and after each step. Ways of one seed see the same tasks in the same order."""
    random, order = np.random.default_rng([seed, 1]), Random(seed)
    weights, adam = start_weights(), Adam()
    all_weights = [weights]
    for _ in range(steps):
        slope = np.zeros(FEATURES)
        for game in order.sample(games, BATCH):
            rollouts = [play(game, weights, random) for _ in range(GROUP)]
            slope += gradient(rollouts, weigh(rollouts), weights) / BATCH
        weights = weights + adam.step(slope)
        all_weights.append(weights)
    return all_weights


def evaluate(games: Sequence[Game], weights: Array, seed: int) -> Figures:
    """Percent of the last turns, and of all turns, that pass; the same draws for all ways of a seed."""
    random = np.random.default_rng([seed, 2])
    rollouts = [play(game, weights, random) for game in games for _ in range(GROUP)]
    last, every = [turns[-1] for turns in rollouts], [turn for turns in rollouts for turn in turns]
    return {
        "loose": 100 * fmean(turn.loose for turn in last),
        "strict": 100 * fmean(turn.strict for turn in last),
        "loose, all turns": 100 * fmean(turn.loose for turn in every),
        "strict, all turns": 100 * fmean(turn.strict for turn in every),
    }


def read_games(world: TripWorld) -> tuple[list[Game], list[Game]]:
    """To train on, and to evaluate on."""
    whole = [read.task for path in SUITE.tasks.starter for read in TASK_FILES.whole(path)]
    tasks = [task for task in whole if task.subset in ("easy", "mid")]
    games = [Game.of_task(world, task) for task in tasks]
    return games[::2], games[1::2]


def play_all(seeds: int, steps: int) -> tuple[dict[str, list[Curve]], str]:
    """By way and seed the figures along the training, and what was played in words."""
    with tempfile.TemporaryDirectory() as folder:
        pack = Path(folder) / "starter.sqlite3"
        build_starter(pack)
        trained, judged = read_games(trip_world(open_world(pack)))
    curves = dict[str, list[Curve]]()
    for name, (weigh, is_single) in WAYS.items():
        games = [game.at_once() for game in trained] if is_single else trained
        curves[name] = [
            [
                evaluate(judged, weights, seed)
                for weights in train(games, weigh, seed, steps)[:: max(1, steps // POINTS)]
            ]
            for seed in range(seeds)
        ]
    return curves, (
        f"{len(trained)} tasks to train on, {len(judged)} others to evaluate on, {seeds} seeds, {steps} steps of "
        f"{BATCH} tasks and {GROUP} rollouts each"
    )


def table_of(curves: Mapping[str, list[Curve]]) -> Iterator[str]:
    """Means over seeds with bootstrapped 95 % intervals, and differences paired by seed, as lines of Markdown."""
    ends: dict[str, list[Figures]] = {name: [curve[-1] for curve in own] for name, own in curves.items()}
    starts = [curve[0] for curve in next(iter(curves.values()))]
    keys = [*starts[0]]
    yield f"| | {' | '.join(keys)} |"
    yield f"|---{'|---' * len(keys)}|"
    for name, figures in {"before training": starts, **ends}.items():
        yield _row(name, [[each[key] for each in figures] for key in keys], "{:.1f}")
    for name, other in PAIRS:
        pairs = [*zip(ends[name], ends[other], strict=True)]
        gains = [[own[key] - its[key] for own, its in pairs] for key in keys]
        yield _row(f"{name} − {other}", gains, "{:+.1f}")


def _row(name: str, columns: Sequence[Sequence[float]], form: str) -> str:
    cells = []
    for values in columns:
        between = mean_interval(values)
        mean = form.format(fmean(values))
        cells.append(
            mean if between is None else f"{mean} [{form.format(between[0])}, {form.format(between[1])}]"
        )
    return f"| {name} | {' | '.join(cells)} |"


def draw(curves: Mapping[str, list[Curve]], steps: int, key: str) -> str:
    """The means along the training, as SVG that Chromium draws with the page's own Plotly."""
    places = [*range(0, steps + 1, max(1, steps // POINTS))]
    lines = [
        {
            "name": name,
            "x": places,
            "y": [fmean(curve[at][key] for curve in own) for at in range(len(places))],
        }
        for name, own in curves.items()
    ]
    layout = {
        "xaxis": {"title": {"text": "steps"}},
        "yaxis": {"title": {"text": f"{key} (%)"}},
        "margin": {"t": 10, "r": 10, "b": 50, "l": 60},
        "legend": {"x": 0.6, "y": 0.05},
    }
    code = (
        "([lines, layout]) => Plotly.toImage({data: lines, layout}, {format: 'svg', width: 760, height: 420})"
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium())
        page = browser.new_page()
        page.add_script_tag(path=PLOTLY)
        drawn: str = page.evaluate(code, [lines, layout])
        browser.close()
    return unquote(drawn.removeprefix("data:image/svg+xml,"))


def main() -> int:
    """Print the table; draw the figure where a file is given for it."""
    parser = argparse.ArgumentParser(prog="python -m tests.scale.gtpo", description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--figure", type=Path, help="where to draw the curves, as SVG")
    given = parser.parse_args()
    curves, words = play_all(given.seeds, given.steps)
    print(f"{words}\n", *table_of(curves), sep="\n")
    if given.figure is not None:
        given.figure.write_text(draw(curves, given.steps, "strict, all turns"), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
