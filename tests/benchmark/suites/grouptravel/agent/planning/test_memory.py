"""What the planner keeps from turn to turn saves searches and changes no move."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from benchmark.core.actions import CallTools, Say
from benchmark.core.view import ToolEntry
from benchmark.suites.grouptravel.agent.planning import PlanMemory, next_move, search
from benchmark.suites.grouptravel.agent.planning.knowledge import Knowledge
from benchmark.suites.grouptravel.agent.planning.plan import Planner
from benchmark.suites.grouptravel.agent.planning.score import score_block
from tests.benchmark.suites.grouptravel.agent.planning.fake_world import CITIES, FakeToolbox, brief_of, group

PEOPLE = 3
BRIEF = brief_of(CITIES[:2], 4, PEOPLE)


class Searches(list[int]):
    """The seeds of the searches that were begun."""


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> Searches:
    begun, search = Searches(), Planner._search

    def count_search(planner: Planner) -> Any:
        begun.append(planner._seed)
        return search(planner)

    monkeypatch.setattr(Planner, "_search", count_search)
    return begun


def moves(world: FakeToolbox, tables: dict[str, Any], memory: PlanMemory | None, seed: int) -> list[object]:
    """All moves until the plan is said; the memory's, or each by a new one."""
    log: list[ToolEntry] = []
    made: list[object] = []
    for _ in range(12):
        move = next_move(BRIEF, tables, tuple(tables), tuple(log), True, seed, (), memory)
        made.append(move)
        if isinstance(move, Say):
            return made
        assert isinstance(move, CallTools)
        for call in move.calls:
            assert isinstance(call.arguments, dict)
            result = world.call(call.name, call.arguments)
            log.append(ToolEntry(str(len(log)), call.name, call.arguments, result, False, "world"))
    raise AssertionError("the planner never spoke")


@pytest.mark.parametrize("seed", range(3))
def test_moves_with_a_memory_are_those_without_one(seed: int) -> None:
    world = FakeToolbox(seed)
    tables = group(seed, PEOPLE, BRIEF.cities, world)
    assert moves(world, tables, PlanMemory(), seed) == moves(world, tables, None, seed)


def test_what_ways_inside_cities_cost_begins_no_second_search(searches: Searches) -> None:
    world = FakeToolbox(1)
    tables = group(1, PEOPLE, BRIEF.cities, world)
    made = moves(world, tables, PlanMemory(), 0)
    routes = made[-2]
    assert isinstance(routes, CallTools)
    assert {call.name for call in routes.calls} == {"plan_route"}
    assert len(searches) == 1


def test_another_wish_begins_another_search(searches: Searches) -> None:
    world, memory = FakeToolbox(1), PlanMemory()
    tables = group(1, PEOPLE, BRIEF.cities, world)
    moves(world, tables, memory, 0)
    changed = group(2, PEOPLE, BRIEF.cities, world)
    assert moves(world, changed, memory, 0) == moves(world, changed, None, 0)
    assert len(searches) > 2


def test_a_request_that_is_weighed_again_begins_no_second_draft(monkeypatch: pytest.MonkeyPatch) -> None:
    world, memory, filled = FakeToolbox(1), PlanMemory(), list[object]()
    tables, fill = group(1, PEOPLE, BRIEF.cities, world), Planner._fill

    def count_fill(planner: Planner, trip: Any) -> Any:
        filled.append(trip)
        return fill(planner, trip)

    monkeypatch.setattr(Planner, "_fill", count_fill)
    known = Knowledge()
    draft = memory.draft(BRIEF, tables, tuple(tables), known, 0)
    assert memory.draft(BRIEF, tables, tuple(tables), known, 0) == draft
    assert len(filled) == 1
    assert draft == Planner(BRIEF, tables, tuple(tables), known, 0).draft()


def test_blocks_that_one_planner_scored_are_not_scored_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit changes what a trip is worth, and no block of it."""
    world, memory, scored = FakeToolbox(1), PlanMemory(), list[object]()
    tables = group(1, PEOPLE, BRIEF.cities, world)

    def count_scored(*arguments: Any) -> Any:
        scored.append(arguments[0])
        return score_block(*arguments)

    monkeypatch.setattr(search, "score_block", count_scored)
    memory.draft(BRIEF, tables, tuple(tables), Knowledge(), 0)
    first = len(scored)
    dearer = deepcopy(tables)
    dearer["User1"]["global_constraints"]["avg_budget"] = 90_000
    draft = memory.draft(BRIEF, dearer, tuple(tables), Knowledge(), 0)
    assert first and len(scored) < 1.5 * first
    assert draft == Planner(BRIEF, dearer, tuple(tables), Knowledge(), 0).draft()
