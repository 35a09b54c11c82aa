"""The step of making tasks (`manage.py make_tasks tripscore draw`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from benchmark.jsonlines import json_line
from benchmark.making import Argument, FileStep, MakingSteps, StepResult, Tools
from benchmark.outputs import open_output, refuse_own_input
from benchmark.suites.tripscore.making.queries import Order, made_tasks
from benchmark.suites.tripscore.making.reference import Limits
from sandbox.worlds import open_world

_MOST = 10_000


def _draw(given: Mapping[str, Any], tools: Tools) -> StepResult:
    if not 0 < given["count"] <= _MOST:
        raise ValueError(f"--count: ask for 1 to {_MOST:,} queries")
    if given["last"] < given["first"]:
        raise ValueError("--last lies before --first; turn them")
    names = ("count", "seed", "english", "first", "last", "prefix")
    limits = Limits(**{name: given[name] for name in Limits._fields})
    order = Order(**{name: given[name] for name in names}, limits=limits)
    refuse_own_input(given["out"], given["world"])
    dropped = Counter[str]()
    with open_output(given["out"]) as file:
        for done, task in enumerate(made_tasks(open_world(given["world"]), order, dropped), 1):
            file.write(json_line(task))
            tools.progress(done, order.count, "queries")
    told = {"queries": order.count, "dropped": dict(dropped)}
    reasons = "".join(f"; {count} dropped {reason}" for reason, count in dropped.most_common())
    return StepResult(told, f"{order.count:,} queries: {given['out']}{reasons}")


def _number(name: str, default: int, help: str) -> Argument:
    return Argument(f"--{name}", {"type": int, "default": default, "metavar": "N", "help": help})


def _day(name: str, default: date) -> Argument:
    help = f"Journeys start on days from --first to --last; by default {default}"
    return Argument(
        f"--{name}", {"type": date.fromisoformat, "default": default, "metavar": "DAY", "help": help}
    )


_LIMITS, _ORDER = Limits(), Order(1)
DRAW = FileStep(
    "draw",
    "Draw synthetic queries with all their data over a world; those that no plan fits are dropped",
    (
        Argument(
            "--world", {"type": Path, "required": True, "metavar": "PACK", "help": "The file of a world"}
        ),
        _number("count", 100, "Queries; by default 100"),
        _number("english", _ORDER.english, "Every Nth query is in English; 0 for none, by default 3"),
        _day("first", _ORDER.first),
        _day("last", _ORDER.last),
        Argument("--prefix", {"default": _ORDER.prefix, "help": "Stands before each id"}),
        _number("sights", _LIMITS.sights, "Sights a city that a query is given at most"),
        _number("hotels", _LIMITS.hotels, "Hotels a city at most"),
        _number("services", _LIMITS.services, "Services from a city to another a day at most"),
        _number("seed", 0, "The same seed gives the same queries"),
        Argument(
            "--out", {"type": Path, "required": True, "metavar": "OUT.jsonl", "help": "Where the queries go"}
        ),
    ),
    _draw,
)
STEPS = MakingSteps((DRAW,))
