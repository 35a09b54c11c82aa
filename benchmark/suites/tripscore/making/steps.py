"""The steps of making tasks (`manage.py make_tasks tripscore`): drawn queries, persons' requests, splits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from benchmark.jsonlines import json_line
from benchmark.making import Argument, FileStep, MakingSteps, StepResult, Tools, answers_in
from benchmark.outputs import open_output, refuse_own_input
from benchmark.suites.tripscore.making.models import CHECK, UNDERSTAND, WRITE, rows_in
from benchmark.suites.tripscore.making.ordering import DURATIONS, SHARES
from benchmark.suites.tripscore.making.queries import PAPER_SHARES, Order, made_tasks, splits_of
from benchmark.suites.tripscore.making.reference import Limits
from benchmark.suites.tripscore.making.requests import planning_intents, real_queries
from benchmark.suites.tripscore.tasks.task import SPLITS
from sandbox.worlds import open_world

_MOST = 10_000


def _draw(given: Mapping[str, Any], tools: Tools) -> StepResult:
    if not 0 < given["count"] <= _MOST:
        raise ValueError(f"--count: ask for 1 to {_MOST:,} queries")
    if given["last"] < given["first"]:
        raise ValueError("--last lies before --first; turn them")
    names = ("count", "seed", "english", "first", "last", "prefix", "length", "split")
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
_WORLD = Argument(
    "--world", {"type": Path, "required": True, "metavar": "PACK", "help": "The file of a world"}
)
_OUT_FILE = Argument(
    "--out", {"type": Path, "required": True, "metavar": "OUT.jsonl", "help": "Where the queries go"}
)
_QUERIES = Argument("queries", {"type": Path, "metavar": "QUERIES.jsonl", "help": "A file of queries"})
_SEED = _number("seed", 0, "The same seed gives the same queries")
_OF_DATA = (
    _number("sights", _LIMITS.sights, "Sights a city that a query is given at most"),
    _number("hotels", _LIMITS.hotels, "Hotels a city at most"),
    _number("services", _LIMITS.services, "Services from a city to another a day at most"),
)
DRAW = FileStep(
    "draw",
    "Draw synthetic queries with all their data over a world; those that no plan fits are dropped",
    (
        _WORLD,
        _number("count", 100, "Queries; by default 100"),
        _number("english", _ORDER.english, "Every Nth query is in English; 0 for none, by default 3"),
        _day("first", _ORDER.first),
        _day("last", _ORDER.last),
        Argument("--prefix", {"default": _ORDER.prefix, "help": "Stands before each id"}),
        Argument(
            "--length",
            {
                "type": int,
                "default": 0,
                "choices": [0, *DURATIONS],
                "help": "Days of all; 0 for all five in turn",
            },
        ),
        Argument(
            "--split",
            {
                "default": "",
                "choices": ["", *SPLITS, SHARES],
                "help": "Of all; shares: all three, as in the paper",
            },
        ),
        *_OF_DATA,
        _SEED,
        _OUT_FILE,
    ),
    _draw,
)


# Persons' requests, and what models find in queries.


def _answers(path: Path | None) -> dict[str, dict[str, Any]]:
    return {answer["key"]: answer for answer in answers_in(path)} if path else {}


def _write_kept(
    path: Path, kept: Sequence[Mapping[str, Any]], dropped: Sequence[tuple[str, str]]
) -> StepResult:
    """Queries into a file, and below its name with `.dropped` who is not among them, and why."""
    beside = path.with_name(f"{path.name.removesuffix('.jsonl')}.dropped.jsonl")
    for file_path, rows in ((path, kept), (beside, [{"id": id_, "reason": why} for id_, why in dropped])):
        with open_output(file_path) as file:
            file.writelines(json_line(dict(row)) for row in rows)
    reasons = Counter(why for _id, why in dropped)
    told = "".join(f"; {count} dropped {why}" for why, count in reasons.most_common())
    return StepResult(
        {"queries": len(kept), "dropped": dict(reasons)}, f"{len(kept):,} queries: {path}{told}"
    )


def _real(given: Mapping[str, Any], tools: Tools) -> StepResult:
    refuse_own_input(given["out"], given["world"], given["requests"], *filter(None, [given["answers"]]))
    limits = Limits(**{name: given[name] for name in Limits._fields})
    intents, answers = planning_intents(given["requests"]), _answers(given["answers"])
    kept: list[Mapping[str, Any]] = []
    dropped: list[tuple[str, str]] = []
    found = real_queries(open_world(given["world"]), intents, answers, given["days"], limits)
    for done, (intent, query) in enumerate(found, 1):
        if isinstance(query, str):
            dropped.append((intent.key, query))
        else:
            kept.append({"id": query["id"], "split": given["split"], **query} if given["split"] else query)
        tools.progress(done, len(intents), "requests")
    return _write_kept(given["out"], kept, dropped)


REAL_REQUESTS = FileStep(
    "real",
    "Make queries of persons' requests that ask for a plan (tasks as TravelBench exports them)",
    (
        Argument("requests", {"type": Path, "metavar": "TASKS.jsonl", "help": "Tasks of TravelBench"}),
        _WORLD,
        Argument(
            "--answers",
            {
                "type": Path,
                "metavar": "ANSWERS.jsonl",
                "help": "What understand has made; else rules read the words",
            },
        ),
        _number("days", 0, "Days of journeys of which nobody tells how long they are; 0 drops them"),
        Argument("--split", {"default": "", "choices": ["", *SPLITS], "help": "Of all"}),
        *_OF_DATA,
        _OUT_FILE,
    ),
    _real,
)


def _keep(given: Mapping[str, Any], tools: Tools) -> StepResult:
    refuse_own_input(given["out"], given["queries"], given["answers"])
    rows, answers = rows_in(given["queries"]), _answers(given["answers"])
    if missing := [row.key for row in rows if row.key not in answers]:
        raise ValueError(
            f"{given['answers']}: no answer on {len(missing)} queries, first {missing[0]}; ask again"
        )
    against = {row.key: answers[row.key]["contradiction"] for row in rows}
    return _write_kept(
        given["out"],
        [row.raw for row in rows if not against[row.key]],
        [(key, f"contradicted by its data, as a model says: {why}") for key, why in against.items() if why],
    )


KEEP = FileStep(
    "keep",
    "Keep the queries whose data contradict nothing",
    (
        _QUERIES,
        Argument("answers", {"type": Path, "metavar": "ANSWERS.jsonl", "help": "Of the step check"}),
        _OUT_FILE,
    ),
    _keep,
)


def _split(given: Mapping[str, Any], tools: Tools) -> StepResult:
    """Each type has its own shares."""
    refuse_own_input(given["out"], given["queries"])
    rows = rows_in(given["queries"])
    splits: dict[str, str] = {}
    for kind, usual in PAPER_SHARES.items():
        own = [row.key for row in rows if row.task.query.type == kind]
        splits |= zip(own, splits_of(len(own), given["shares"] or usual, given["seed"]), strict=True)
    with open_output(given["out"]) as file:
        file.writelines(json_line({**row.raw, "split": splits[row.key]}) for row in rows)
    counts = dict(Counter(splits.values()))
    told = ", ".join(f"{count} {name}" for name, count in counts.items())
    return StepResult(counts, f"{len(rows):,} queries: {given['out']}; {told}")


SPLIT = FileStep(
    "split",
    "Part queries into train, validation and test",
    (
        _QUERIES,
        Argument(
            "--shares",
            {
                "type": float,
                "nargs": 3,
                "metavar": "SHARE",
                "help": "Of the three; by default those of the paper",
            },
        ),
        _SEED,
        _OUT_FILE,
    ),
    _split,
)
STEPS = MakingSteps((DRAW, WRITE, UNDERSTAND, REAL_REQUESTS, CHECK, KEEP, SPLIT))
