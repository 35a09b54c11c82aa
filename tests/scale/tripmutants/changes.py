"""Plans that can be changed, and what mutators share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple, TypeVar

from benchmark.suites.tripbench.frame import Frame
from benchmark.suites.tripbench.plans.schema import ATTRACTION, LEG, PLAN, RESTAURANT
from benchmark.suites.tripbench.scoring.verdict import Constraint, Turn, Verdict, judge_plan
from benchmark.suites.tripbench.tasks import STARTER, TASK_FILES, Task
from sandbox.toolsets.tripbench.records import TripWorld, World
from sandbox.toolsets.tripbench.world import trip_world
from sandbox.worlds import open_world
from tests.scale.tripbench import CONSTRAINTS, META, WORLD, sound_plan

Json = Any
T = TypeVar("T")
DAY: Final = 1440
DOMAINS: Final = ("attraction", "hotel", "restaurant", "transport", "general")
"""Of what users ask for."""


class Unfit(Exception):
    """A plan has no place for a change."""


class Stage(NamedTuple):
    """A plan that breaks nothing, and what it is judged by."""

    plan: Json
    world: TripWorld
    frame: Frame
    constraints: tuple[Constraint, ...] = ()
    repeatable: frozenset[str] = frozenset()

    def judge(self, plan: Json, *more: Constraint) -> Verdict:
        """What the rules say of a plan in its place."""
        held = [*self.constraints, *more]
        turn = Turn(self.world, self.frame, constraints=held, repeatable=self.repeatable)
        return judge_plan(plan, None, turn)

    def items_of(self, kind: str) -> Any:
        """By id: all that activities of a type may name."""
        world = self.world
        tables = {ATTRACTION: world.attractions_by_id, RESTAURANT: world.restaurants_by_id}
        return world.services_by_id if kind == LEG else tables[kind]

    def item(self, activity: Json) -> Any:
        """What an activity names."""
        return self.items_of(activity["type"])[activity["id"]]

    def hotel(self, day: Json) -> Any:
        """That of a day which has one."""
        return self.world.hotels_by_id[day["hotel"]["id"]]


def hand_stage() -> Stage:
    """The sound plan in the world made by hand, with one of each rubric."""
    held = tuple(Constraint(one["id"], one["rubric"], one["args"]) for one in CONSTRAINTS)
    return Stage(sound_plan(), World.model_validate(WORLD), Frame.model_validate(META), held)


def task_stage(task: Task, world: TripWorld, plan: Json) -> Stage:
    """A plan that proves a task, with all that its user asks for at the end."""
    demand = task.demand_after(task.instructions)
    held = tuple(Constraint(id_, one.rubric, one.args) for id_, one in demand.constraints.items())
    return Stage(plan, world, demand.frame, held, frozenset(task.repeatable))


def draw_stages(pack: Path) -> list[Stage]:
    """The plan made by hand, and those that prove the tasks which ship. pack: the starter world."""
    world = trip_world(open_world(pack))
    tasks = [read.task for read in TASK_FILES.whole(*STARTER)]
    return [hand_stage(), *(task_stage(task, world, task.witness) for task in tasks)]


class Aim(NamedTuple):
    """What findings must tell. day: the one that was changed, from 1; None for the whole plan. constraint: the
    user's that is broken, which the plan met before.
    """

    day: int | None = None
    constraint: Constraint | None = None


Change = Callable[[Json, Stage, Random], Aim]
"""Changes a plan in place. Raises Unfit."""


@dataclass(frozen=True)
class Mutator:
    """target: the constraint that must fail, a rubric's key for one of the user's. effects: constraints, and rubrics
    by their domain, that may fail too.
    """

    target: str
    effects: frozenset[str]
    change: Change

    @property
    def name(self) -> str:
        """As failures tell it."""
        return f"{self.target}: {self.change.__name__.strip('_')}"


MUTATORS: Final[list[Mutator]] = []


def aim_at(target: str, *effects: str) -> Callable[[Change], Change]:
    """Registers a mutator."""

    def register(change: Change) -> Change:
        MUTATORS.append(Mutator(target, frozenset(effects), change))
        return change

    return register


class Spot(NamedTuple):
    """An activity in its day. day: its number from 0."""

    day: int
    activities: list[Json]
    number: int

    @property
    def activity(self) -> Json:
        """Itself."""
        return self.activities[self.number]

    @property
    def kind(self) -> str:
        """Its type."""
        return str(self.activity["type"])

    @property
    def has_leg(self) -> bool:
        """Whether its day is no full one."""
        return any(one["type"] == LEG for one in self.activities)

    def neighbour(self, step: int) -> Json:
        """The activity so many places on in its day, of no type where there is none."""
        number = self.number + step
        return self.activities[number] if 0 <= number < len(self.activities) else {"type": ""}

    def insert_again(self, copy: Json) -> None:
        """Right after itself."""
        self.activities.insert(self.number + 1, copy)

    def remove(self) -> None:
        """From its day."""
        del self.activities[self.number]


def days_of(plan: Json) -> list[Json]:
    """The days of a plan."""
    return plan[PLAN]["daily_schedule"]  # type: ignore[no-any-return]


def spots_of(plan: Json, *types: str) -> list[Spot]:
    """All activities of these types."""
    return [
        Spot(n, day["activities"], number)
        for n, day in enumerate(days_of(plan))
        for number, activity in enumerate(day["activities"])
        if activity["type"] in types
    ]


def nights_of(plan: Json) -> list[tuple[int, Json]]:
    """The days with a hotel but the last, with their numbers from 0."""
    return [(n, day) for n, day in enumerate(days_of(plan)[:-1]) if "hotel" in day]


def full_days_of(plan: Json) -> list[tuple[int, Json]]:
    """Days without a leg, with their numbers from 0."""
    days = enumerate(days_of(plan))
    return [(n, day) for n, day in days if all(one["type"] != LEG for one in day["activities"])]


def pick(random: Random, values: Sequence[T]) -> T:
    """One of them. Raises Unfit where there is none."""
    if not values:
        raise Unfit
    return random.choice(values)


def shuffle(random: Random, values: Collection[T]) -> list[T]:
    """All of them in another order."""
    return random.sample([*values], len(values))


def read_minute(text: str) -> int:
    """Minutes of a day."""
    hours, minutes = text.split(":")
    return int(hours) * 60 + int(minutes)


def clock(minute: int) -> str:
    """Such as 09:30."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


def span_of(activity: Json) -> tuple[int, int]:
    """When an activity begins and ends, in minutes of a day."""
    start, end = activity["time"].split("-")
    return read_minute(start), read_minute(end)


def set_span(activity: Json, start: int, end: int) -> None:
    """Raises Unfit where plans can't have such times."""
    if (
        not 0 <= start < DAY
        or not 0 < end <= DAY
        or start == end
        or (end < start and activity["type"] != LEG)
    ):
        raise Unfit
    activity["time"] = f"{clock(start)}-{clock(end)}"


def change_type(activity: Json, kind: str) -> None:
    """To one without an item, at the same time."""
    activity["type"] = kind
    activity.pop("id", None)
    activity.pop("products", None)


def buy(activity: Json, item: Any, people: int) -> None:
    """Another item with what a party needs of it."""
    exact = [one for one in item.products if activity["type"] == RESTAURANT and one.people == people]
    needs_ticket = activity["type"] == LEG or (activity["type"] == ATTRACTION and (item.price or 0) > 0)
    bought = [(exact[0], 1)] if exact else [(one, people) for one in item.products[:1] if needs_ticket]
    products = [{"id": product.id, "quantity": count} for product, count in bought]
    activity.update({"id": item.id, "products": products})


def others_near(plan: Json, stage: Stage, spot: Spot) -> list[Any]:
    """Attractions, or restaurants, of the same city that a plan does not visit."""
    city = stage.item(spot.activity).city
    known = stage.world.attractions_in if spot.kind == ATTRACTION else stage.world.restaurants_in
    visited = {one.activity["id"] for one in spots_of(plan, ATTRACTION, RESTAURANT)}
    return [item for item in known(city) if item.id not in visited]


def objects_of(value: Json) -> Iterator[Json]:
    """All objects in a plan."""
    if isinstance(value, dict):
        yield value
    for each in value.values() if isinstance(value, dict) else value:
        if isinstance(each, dict | list):
            yield from objects_of(each)
