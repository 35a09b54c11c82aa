"""A whole set of queries into a file, with words by rule or by a model, and a report beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from benchmark.remarks import Remark
from benchmark.suites.base import fill_options
from benchmark.suites.tripscore.making.models import WORDING
from benchmark.suites.tripscore.making.ordering import IN_TURN, NO_SPLIT, OPTIONS
from benchmark.suites.tripscore.making.queries import Order as QueryOrder
from benchmark.suites.tripscore.making.queries import TooFewQueries, made_tasks, why_dropped
from benchmark.suites.tripscore.making.reference import Limits
from benchmark.suites.tripscore.tasks import TASK_FILES, Task
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
    asked, dropped = _query_order(order), Counter[str]()
    if not out.parent.is_dir():
        raise BadOrder(f"{out.parent} is no folder; make it first")
    tell = progress or (lambda done, total, label: None)
    queries = _draw(order, asked, dropped, asked.count, tell)
    dependencies = {"version": VERSION, "world": open_world(order.world).pack_hash, "model": order.model}
    dependencies |= {name: str(value) for name, value in vars(asked).items()}
    files, report = WORDING.write_set(
        out,
        queries,
        dependencies,
        lambda written: _report(written, dropped),
        ask=ask,
        workers=workers,
        progress=tell,
    )
    words = [f"{len(queries):,} queries", *(f"{count} dropped {why}" for why, count in dropped.items())]
    return OrderResult(len(queries), files, report, words)


def sample(order: Order, count: int, *, ask: Ask | None = None, progress: Progress | None = None) -> Sample:
    """The first queries of an order as `produce` makes them. Raises as it."""
    asked = _query_order(order)
    tell = progress or (lambda done, total, label: None)
    queries = _draw(order, asked, Counter(), min(count, asked.count), tell)
    return Sample(WORDING.sample_places(queries, ask, None), asked.count, {}, [])


def reviewer(_world: World) -> Review:
    """Why a query would not have been kept; it brings its own data, whatever the world."""

    def review(task: Task) -> Sequence[Finding]:
        why = why_dropped(task)
        return [Finding("reference", Remark(why))] if why else []

    return review


SYNTHESIS: Final = Synthesis(
    produce, sample, files_beside, reviewer, (QueryOrder(1).first, QueryOrder(1).last)
)


def _draw(order: Order, asked: QueryOrder, dropped: Counter[str], count: int, tell: Progress) -> list[Raw]:
    queries: list[Raw] = []
    try:
        for query in islice(made_tasks(open_world(order.world), asked, dropped), count):
            queries.append(query)
            tell(len(queries), count, "queries")
    except TooFewQueries as error:
        raise BadOrder(str(error)) from error
    return queries


def _query_order(order: Order) -> QueryOrder:
    """An order as the generator reads it. Raises BadOrder."""
    chosen = fill_options(OPTIONS, order.options)
    if not 1 <= int(chosen["queries"]) <= MOST_TASKS:
        raise BadOrder(f"{chosen['queries']} queries can't be made; ask for 1 to {MOST_TASKS:,}")
    if not _PREFIX.fullmatch(str(chosen["prefix"])):
        raise BadOrder("ids can't begin so: write 1 to 20 letters, digits, and any of . _ -")
    first, last = order.first or QueryOrder(1).first, order.last or QueryOrder(1).last
    if last < first:
        raise BadOrder(f"journeys can't start from {first} to {last}: give the earlier day first")
    return QueryOrder(
        count=int(chosen["queries"]),
        seed=order.seed,
        english=int(chosen["english"]),
        first=first,
        last=last,
        prefix=str(chosen["prefix"]).removesuffix("-"),
        limits=Limits(**{name: int(chosen[name]) for name in Limits._fields}),
        length=0 if chosen["length"] == IN_TURN else int(chosen["length"]),
        split="" if chosen["split"] == NO_SPLIT else str(chosen["split"]),
    )


def _report(queries: Sequence[Raw], dropped: Counter[str]) -> dict[str, Any]:
    tasks = [TASK_FILES.task(raw) for raw in queries]
    return {
        "tasks": len(tasks),
        "by_days": {str(days): n for days, n in sorted(Counter(own.query.days for own in tasks).items())},
        "by_split": dict(Counter(own.split for own in tasks if own.split)),
        "english": sum(own.language == "en" for own in tasks),
        "dropped": dict(dropped),
    }
