"""Whether a task can be solved: the reference planner, given the true tables, finds a valid plan (3.2, stage 4)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from datetime import date
from typing import Any, NamedTuple

from benchmark.core.view import AGENT, ToolEntry
from benchmark.remarks import Remark, gettext_noop
from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.planning import gather
from benchmark.suites.grouptravel.agent.planning.knowledge import Knowledge, learn, read_log
from benchmark.suites.grouptravel.agent.planning.plan import Planner
from benchmark.suites.grouptravel.agent.planning.tastes import read_tastes
from benchmark.suites.grouptravel.preferences import CITY_ROOT, FIELD, GLOBAL_ROOT, number, read
from benchmark.suites.grouptravel.scoring.catalogue import Catalogue
from benchmark.suites.grouptravel.scoring.score import figures_of
from benchmark.suites.grouptravel.scoring.trip import prepare
from benchmark.suites.grouptravel.tasks.task import Task
from sandbox.toolbox import world_tools
from sandbox.worlds import World

_DATED_FRAMES = 2
_COSTLY = (
    "transport.must", "transport.prefer", "hotel_preference.prefer", "attractions.category_pref.positive",
    "food.must_eat", "food.prefer_eat",
)  # fmt: skip


class Proof(NamedTuple):
    """A plan and what `published` makes of it.

    planner: `draft`, `frugal draft` or `frugal plan` (see `prove`).
    issues: the published issues, empty for a valid plan. costs: CNY that count against each budget. over_budget: who
    would pay more than their budget. yielding_users: who may give way.
    """

    task_id: str
    seed: int
    planner: str
    plan: dict[str, Any]
    utility: float
    issues: tuple[dict[str, Any], ...]
    costs: Mapping[str, float]
    over_budget: tuple[str, ...]
    yielding_users: tuple[str, ...]

    @property
    def solved(self) -> bool:
        """Valid, and within every budget of those who do not give way."""
        return not self.issues and set(self.over_budget) <= set(self.yielding_users)

    def why_not(self) -> Remark | None:
        """What keeps it from being solved; None where nothing does."""
        if self.issues:
            kinds = ", ".join(dict.fromkeys(issue["type"] for issue in self.issues))
            why = gettext_noop("the reference planner finds no valid plan (%(issues)s)")
            return Remark(why, {"issues": kinds})
        firm = [user for user in self.over_budget if user not in self.yielding_users]
        why = gettext_noop("the reference planner finds no plan within the budget of %(users)s")
        return Remark(why, {"users": ", ".join(firm)}) if firm else None

    def as_json(self) -> dict[str, Any]:
        """As a line of the file of proofs."""
        return {
            "task_id": self.task_id,
            "seed": self.seed,
            "planner": self.planner,
            "profile": "published",
            "valid": not self.issues,
            "solved": self.solved,
            "gu": self.utility,
            "pv_issues": list(self.issues),
            "costs": dict(self.costs),
            "over_budget": list(self.over_budget),
            "yielding": list(self.yielding_users),
            "plan": self.plan,
        }


def prove(task: Task, world: World, catalogue: Catalogue, seed: int = 0) -> Proof:
    """The first plan that solves the task, else the last one that was tried.

    First the planner's quick draft. It weighs a budget against wishes, and may find a costly plan the better one; so
    it is asked again with the weaker wishes and those that cost money left out, for a draft, then for its best plan.
    What it finds is judged by the true tables all the same.

    catalogue: of the same world. seed: of the planner's search.
    """
    brief, tables, users = _brief(task), _tables(task), task.users
    known = _ask_tools(brief, tables, users, world, task.language, seed)
    frugal = _frugal(tables, task.metadata.compromise_pattern)
    ways: tuple[tuple[str, Callable[[], dict[str, Any]]], ...] = (
        ("draft", lambda: Planner(brief, tables, users, known, seed).draft()),
        ("frugal draft", lambda: Planner(brief, frugal, users, known, seed).draft()),
        ("frugal plan", lambda: Planner(brief, frugal, users, known, seed).plan().itinerary),
    )
    for name, make_plan in ways:
        proof = _judge_plan(task, name, make_plan(), catalogue, seed)
        if proof.solved:
            break
    return proof


def _brief(task: Task) -> Brief:
    """What the task itself says, without reading its sentences."""
    children = tuple(child.user for child in task.metadata.child_members)
    return Brief(
        departure_city=task.metadata.departure_city,
        cities=tuple(task.metadata.cities),
        days=task.days or 1,
        start=date.fromisoformat(task.time),
        head_count=len(task.users) + len(children),
        companions=children,
        language=task.language,
    )


def _tables(task: Task) -> dict[str, Any]:
    return {user: card.preference for user, card in task.user_preferences.items()}


def _frugal(tables: Mapping[str, Any], yielding: Sequence[str]) -> dict[str, Any]:
    """Tables whose wishes are the named sights alone, and without the budgets of those who give way."""
    kept = deepcopy(dict(tables))
    for user, table in kept.items():
        if user in yielding:
            table[GLOBAL_ROOT].pop("avg_budget", None)
        for path in _COSTLY:
            for city in table[CITY_ROOT] if FIELD[path].scope == "city" else ("",):
                if isinstance(held := read(table, FIELD[path], city), list):
                    held.clear()
    return kept


def _ask_tools(
    brief: Brief, tables: Mapping[str, Any], users: Sequence[str], world: World, language: str, seed: int
) -> Knowledge:
    """What the tools say to every call that the planner wants, stage by stage as an agent makes them.

    The third stage looks for sights under other spellings; those of a checked table are spelt as tools spell them.
    """
    tools = world_tools(world, "en" if language == "en" else "zh")
    log: list[ToolEntry] = []

    def ask(calls: gather.Calls) -> None:
        while batch := gather.missing(calls, gather.keys_of(log)):
            for call in batch:
                told = tools.call(call.name, call.arguments)
                log.append(
                    ToolEntry(str(len(log)), call.name, call.arguments, told.result, told.error, "world")
                )

    tastes = read_tastes(tables, users, brief.cities)
    first = gather.first_stage(brief, tastes)
    ask(first)
    known, asked = read_log(log), len(log)
    frames = Planner(brief, tables, users, known, seed).frames.best(_DATED_FRAMES)
    ask(gather.second_stage(brief, tastes, known, frames))
    learn(known, log[asked:])
    return known


def _judge_plan(task: Task, planner: str, plan: dict[str, Any], catalogue: Catalogue, seed: int) -> Proof:

    said = f"```json\n{json.dumps(plan, ensure_ascii=False)}\n```"
    record = {
        "task_id": task.task_id,
        "user_names": task.users,
        "effective_preferences": task.cards(),
        "plan_generated": True,
        "conversation_history": [{"role": AGENT, "content": said}],
    }
    figures = figures_of(record, catalogue)
    costs = _costs(plan, task, catalogue)
    budgets = {user: number(read(table, FIELD["avg_budget"])) for user, table in _tables(task).items()}
    over = tuple(user for user, cap in budgets.items() if cap is not None and costs[user] > cap)
    return Proof(
        task.task_id,
        seed,
        planner,
        plan,
        figures["gu"],
        tuple(figures["pv_issues"]),
        costs,
        over,
        tuple(task.metadata.compromise_pattern),
    )


def _costs(plan: dict[str, Any], task: Task, catalogue: Catalogue) -> dict[str, float]:
    """CNY of legs, nights and own meals by user: what counts against a budget."""
    trip = prepare(plan, task.users, catalogue)
    return {user: round(sum(cost for who, cost in trip.costs if user in who), 2) for user in task.users}
