"""The steps of making queries (`manage.py make_tasks traveleval`): drawing, words by a model, samples."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

from benchmark.jsonlines import json_line
from benchmark.judging.json_objects import objects_in, plain
from benchmark.making import (
    Argument,
    FileStep,
    MakingSteps,
    ModelStep,
    StepResult,
    Tools,
    Unusable,
    answers_in,
)
from benchmark.models import ChatRequest
from benchmark.models.answers import storable
from benchmark.outputs import open_output, refuse_own_input
from benchmark.suites.traveleval.making.core import BUDGETS
from benchmark.suites.traveleval.making.sets import LEVELS, QueryOrder, made_queries, stratified_sample
from benchmark.suites.traveleval.making.words import PROMPTS
from benchmark.suites.traveleval.tasks import TASK_FILES, Query
from benchmark.suites.traveleval.tasks.rules import DAYS as LENGTHS
from benchmark.suites.traveleval.tasks.tags import english_city
from benchmark.suites.traveleval.world import tables_of
from sandbox.tools.language import Language
from sandbox.worlds import open_world

_TEXTS: Final = ("nature_language", "nature_language_en")
_MOST = 10_000
_QUERIES = Argument(
    "queries", {"type": Path, "metavar": "QUERIES.jsonl", "help": "Queries, published files too"}
)
_OUT_FILE = Argument(
    "--out", {"type": Path, "required": True, "metavar": "OUT.jsonl", "help": "Where the queries go"}
)
_SEED = Argument("--seed", {"type": int, "default": 0, "help": "The same seed gives the same queries"})


@dataclass(frozen=True, slots=True)
class QueryRow:
    """A query with the object that it stands in the file as."""

    task: Query
    raw: Mapping[str, Any]

    @property
    def key(self) -> str:
        """Its uid."""
        return self.task.uid

    @property
    def language(self) -> Language:
        """Of its own words."""
        return self.task.language


def rows_in(path: Path) -> list[QueryRow]:
    """The queries of a file. Raises OSError, ValueError."""
    return [QueryRow(read.task, read.raw) for read in TASK_FILES.whole(path)]


def _write(path: Path, queries: Sequence[Mapping[str, Any]], *inputs: Path) -> StepResult:
    refuse_own_input(path, *inputs)
    with open_output(path) as file:
        file.writelines(json_line(dict(query)) for query in queries)
    counts = Counter(query["tag"] for query in queries)
    told: dict[str, int] = {level: counts[level] for level in LEVELS}
    shown = ", ".join(f"{count} {level}" for level, count in told.items())
    return StepResult(told, f"{len(queries):,} queries, {shown}: {path}")


# By rule.


def _draw(given: Mapping[str, Any], tools: Tools) -> StepResult:
    order = QueryOrder(**{name: given[name] for name in QueryOrder._fields})
    counts = (order.easy, order.medium, order.hard, order.groups)
    if min(counts) < 0 or not 0 < sum(counts) <= _MOST:
        raise ValueError(f"--easy, --medium, --hard, --groups: ask for 1 to {_MOST:,} queries in all")
    return _write(given["out"], [*made_queries(tables_of(open_world(given["world"])), order)], given["world"])


def _count_argument(name: str, default: int, help: str) -> Argument:
    return Argument(f"--{name}", {"type": int, "default": default, "metavar": "N", "help": help})


def _day_argument(name: str, default: date) -> Argument:
    help = f"Journeys start on days from --first to --last; by default {default}"
    return Argument(
        f"--{name}", {"type": date.fromisoformat, "default": default, "metavar": "DAY", "help": help}
    )


DRAW = FileStep(
    "draw",
    "Draw queries for a world by the paper's rules, with words in Chinese and English",
    (
        Argument(
            "--world", {"type": Path, "required": True, "metavar": "PACK", "help": "The file of a world"}
        ),
        _count_argument("easy", 0, "Queries without wishes"),
        _count_argument("medium", 0, "Queries with wishes of one or two categories"),
        _count_argument("hard", 0, "Queries with wishes of three or four categories, some not wanted"),
        _count_argument("groups", 0, "Groups of three that share all but the wishes"),
        _count_argument("english", 0, "Every Nth query or group is in English alone; 0 for none"),
        _day_argument("first", QueryOrder().first),
        _day_argument("last", QueryOrder().last),
        Argument("--prefix", {"default": "", "help": "Stands before each uid"}),
        Argument(
            "--length",
            {
                "type": int,
                "default": 0,
                "choices": [0, *LENGTHS],
                "help": "Days of all; 0 for the paper's shares",
            },
        ),
        Argument(
            "--budget",
            {
                "default": "",
                "choices": ["", *BUDGETS],
                "help": "The class of all; by default the paper's shares",
            },
        ),
        _SEED,
        _OUT_FILE,
    ),
    _draw,
)


# By a model.


def _request(row: QueryRow) -> ChatRequest:
    told = {name: value for name, value in row.raw.items() if name not in _TEXTS}
    asked = PROMPTS.fill(row.language, "write_user", query=json.dumps(told, ensure_ascii=False, indent=1))
    system = {"role": "system", "content": PROMPTS.fill(row.language, "write_system")}
    return ChatRequest((system, {"role": "user", "content": asked}), temperature=0.9, json_object=True)


def read_words(row: QueryRow, answer: str) -> dict[str, str]:
    """Both texts. Raises Unusable: one is missing, or lacks a city, the days or the budget."""
    answers = [one for one in objects_in(answer).whole if all(plain(name) in one for name in _TEXTS)]
    if not answers:
        raise Unusable(f"no JSON object with {' and '.join(_TEXTS)}")
    said = {name: " ".join(storable(str(answers[-1][plain(name)])).split()) for name in _TEXTS}
    task = row.task
    for name, text in said.items():
        cities = (task.start_city, task.target_city)
        named = cities if name == _TEXTS[0] else map(english_city, cities)
        wanted = (*named, f"{task.budget:.0f}", str(task.days))
        figures = text.replace(",", "")
        if missing := [word for word in wanted if word not in figures]:
            raise Unusable(f"{name} lacks {missing[0]}")
    return said


WRITE = ModelStep(
    "write",
    "Have a model put queries into words, in Chinese and English",
    models=1,
    rows=rows_in,
    request=_request,
    read=read_words,
)


def _put_words(given: Mapping[str, Any], tools: Tools) -> StepResult:
    """A query in English alone keeps no Chinese words."""
    words = {answer["key"]: answer for answer in answers_in(given["answers"])}
    rows = rows_in(given["queries"])
    if missing := [row.key for row in rows if row.key not in words]:
        raise ValueError(
            f"{given['answers']}: {len(missing)} queries have no words, first {missing[0]}; ask again"
        )
    queries = [
        {
            **row.raw,
            **{name: words[row.key][name] for name in _TEXTS if name == _TEXTS[1] or row.language == "zh"},
        }
        for row in rows
    ]
    return _write(given["out"], queries, given["queries"], given["answers"])


PUT_WORDS = FileStep(
    "with-words",
    "Put a model's words into queries",
    (
        _QUERIES,
        Argument(
            "answers", {"type": Path, "metavar": "ANSWERS.jsonl", "help": "What the step write has made"}
        ),
        _OUT_FILE,
    ),
    _put_words,
)


# Samples.


def _sample(given: Mapping[str, Any], tools: Tools) -> StepResult:
    rows = {row.key: row.raw for path in given["files"] for row in rows_in(path)}
    queries = [row.task for path in given["files"] for row in rows_in(path)]
    drawn = stratified_sample(queries, given["count"], given["seed"])
    return _write(given["out"], [rows[query.uid] for query in drawn], *given["files"])


SAMPLE = FileStep(
    "sample",
    "Draw a sample in which each difficulty and number of days has its share (section B.1 of the paper)",
    (
        Argument("files", {"type": Path, "nargs": "+", "metavar": "QUERIES", "help": "Files of queries"}),
        _count_argument("count", 250, "Queries; by default 250, as in the paper"),
        _SEED,
        _OUT_FILE,
    ),
    _sample,
)
STEPS = MakingSteps((DRAW, WRITE, PUT_WORDS, SAMPLE))
