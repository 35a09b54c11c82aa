"""A whole set of queries into a file, with words by rule or by a model, and a report beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, cast

from benchmark.remarks import Remark
from benchmark.suites.base import fill_options
from benchmark.suites.traveleval.making.model_words import WORDING
from benchmark.suites.traveleval.making.ordering import OPTIONS, PAPER, SIZES
from benchmark.suites.traveleval.making.sets import LEVELS, QueryOrder, made_queries
from benchmark.suites.traveleval.tasks import TASK_FILES, Query
from benchmark.suites.traveleval.tasks.listing import BROKEN_RULES
from benchmark.suites.traveleval.tasks.query import BudgetClass
from benchmark.suites.traveleval.tasks.rules import broken_rules
from benchmark.suites.traveleval.world import tables_of
from benchmark.synthesis import (
    MOST_TASKS,
    Ask,
    BadOrder,
    Finding,
    Order,
    OrderResult,
    Progress,
    Review,
    Sample,
    Synthesis,
)
from benchmark.text import guarded
from benchmark.worded_sets import Raw, files_beside
from sandbox.worlds import World, open_world

_PREFIX = guarded.compile(r"[A-Za-z0-9_.-]{1,20}")
VERSION = 1
"""Raised whenever the same order may give another file."""


def produce(
    order: Order, out: Path, *, ask: Ask | None = None, workers: int = 1, progress: Progress | None = None
) -> OrderResult:
    """Make the queries of an order into `out`, and a report beside it.

    The same order gives the same file; a model may answer otherwise each time. `out` appears whole; what a model has
    written before it was broken off stays in `out`.part.

    Raises:
        BadOrder: the order can't be filled, or is not the one that is half done.
        OSError, WorldError, ModelFailure: as they come.
    """
    queries = _draw(order)
    if not out.parent.is_dir():
        raise BadOrder(f"{out.parent} is no folder; make it first")
    tell = progress or (lambda done, total, label: None)
    files, report = WORDING.write_set(
        out, queries, _dependencies(order), _report, ask=ask, workers=workers, progress=tell
    )
    told = ", ".join(f"{count} {level}" for level, count in report["by_difficulty"].items())
    return OrderResult(len(queries), files, report, [f"{len(queries):,} queries, {told}"])


def sample(order: Order, count: int, *, ask: Ask | None = None, progress: Progress | None = None) -> Sample:
    """Some queries of an order as `produce` makes them, the first of each difficulty before others. Raises as it."""
    queries = _draw(order)
    firsts = {query["tag"]: at for at, query in reversed([*enumerate(queries)])}
    chosen = sorted(dict.fromkeys([*firsts.values(), *range(len(queries))][:count]))
    places = WORDING.sample_places([queries[at] for at in chosen], ask, progress)
    return Sample(places, len(queries), _by_level(queries), [])


def reviewer(world: World) -> Review:
    """Which rules of the paper a query breaks; they are the same over every world."""

    def review(query: Query) -> Sequence[Finding]:
        return [Finding(rule, Remark(BROKEN_RULES[rule])) for rule in broken_rules(query)]

    return review


SYNTHESIS: Final = Synthesis(produce, sample, files_beside, reviewer, (QueryOrder().first, QueryOrder().last))


def _draw(order: Order) -> list[Raw]:
    asked = _query_order(order)
    if not 1 <= asked.total <= MOST_TASKS:
        raise BadOrder(f"{asked.total} queries can't be made; ask for 1 to {MOST_TASKS:,}")
    try:
        return list(made_queries(tables_of(open_world(order.world)), asked))
    except ValueError as error:
        raise BadOrder(str(error)) from error


def _dependencies(order: Order) -> dict[str, Any]:
    """Everything on which the file depends."""
    return {
        "version": VERSION,
        "world": open_world(order.world).pack_hash,
        "model": order.model,
        **{name: str(value) for name, value in _query_order(order)._asdict().items()},
    }


def _query_order(order: Order) -> QueryOrder:
    """An order as the generator reads it. Raises BadOrder."""
    chosen = fill_options(OPTIONS, order.options)
    for key in (*SIZES, "english"):
        if int(chosen[key]) < 0:
            raise BadOrder(f"{key} can't be {chosen[key]}; write 0 or more")
    if not _PREFIX.fullmatch(str(chosen["prefix"])):
        raise BadOrder("ids can't begin so: write 1 to 20 letters, digits, and any of . _ -")
    usual = QueryOrder()
    length, budget = chosen["length"], chosen["budget"]
    return usual._replace(
        **{key: int(chosen[key]) for key in (*SIZES, "english")},
        seed=order.seed,
        first=order.first or usual.first,
        last=order.last or usual.last,
        prefix=str(chosen["prefix"]),
        length=0 if length == PAPER else int(length),
        budget="" if budget == PAPER else cast(BudgetClass, budget),
    )


def _report(queries: Sequence[Raw]) -> dict[str, Any]:
    tasks = [TASK_FILES.task(raw) for raw in queries]
    return {
        "tasks": len(queries),
        "by_difficulty": _by_level(queries),
        "groups": len({task.group for task in tasks if task.group}),
        "by_days": {str(days): count for days, count in sorted(Counter(task.days for task in tasks).items())},
        "by_budget": dict(Counter(task.budget_class for task in tasks)),
        "english": sum(task.language == "en" for task in tasks),
    }


def _by_level(queries: Sequence[Raw]) -> dict[str, int]:
    counts = Counter(query["tag"] for query in queries)
    return {level: counts[level] for level in LEVELS}
