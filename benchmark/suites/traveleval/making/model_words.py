"""A query put into words by a model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from benchmark.judging.json_objects import objects_in, plain
from benchmark.making import ModelStep, Unusable
from benchmark.models import ChatRequest
from benchmark.models.answers import storable
from benchmark.suites.traveleval.making.words import PROMPTS
from benchmark.suites.traveleval.tasks import TASK_FILES, Query
from benchmark.suites.traveleval.tasks.tags import english_city
from benchmark.worded_sets import TaskRow, Wording

CHINESE, ENGLISH = "nature_language", "nature_language_en"
_TEXTS: Final = (CHINESE, ENGLISH)
QueryRow = TaskRow[Query]


def rows_in(path: Path) -> list[QueryRow]:
    """The queries of a file. Raises OSError, ValueError."""
    return [QueryRow(read.task, read.raw) for read in TASK_FILES.whole(path)]


def words_request(row: QueryRow) -> ChatRequest:
    """What a model is asked; the words that a query has are not told."""
    task = row.task
    told = {name: value for name, value in row.raw.items() if name not in _TEXTS}
    asked = PROMPTS.fill(task.language, "write_user", query=json.dumps(told, ensure_ascii=False, indent=1))
    system = {"role": "system", "content": PROMPTS.fill(task.language, "write_system")}
    return ChatRequest((system, {"role": "user", "content": asked}), temperature=0.9, json_object=True)


def read_words(row: QueryRow, answer: str) -> dict[str, str]:
    """Both texts. Raises Unusable: one is missing, or lacks a city, the days or the budget."""
    task = row.task
    answers = [one for one in objects_in(answer).whole if all(plain(name) in one for name in _TEXTS)]
    if not answers:
        raise Unusable(f"no JSON object with {' and '.join(_TEXTS)}")
    said = {name: " ".join(storable(str(answers[-1][plain(name)])).split()) for name in _TEXTS}
    for name, text in said.items():
        cities = (task.start_city, task.target_city)
        named = cities if name == CHINESE else map(english_city, cities)
        wanted = (*named, f"{task.budget:.0f}", str(task.days))
        figures = text.replace(",", "")
        if missing := [word for word in wanted if word not in figures]:
            raise Unusable(f"{name} lacks {missing[0]}")
    return said


def _with_words(raw: Mapping[str, Any], words: Mapping[str, Any]) -> Mapping[str, Any]:
    """A query with a model's words; one in English alone keeps no Chinese ones."""
    return {**raw, **{name: text for name, text in words.items() if name == ENGLISH or raw[CHINESE]}}


WRITE: Final = ModelStep(
    "write", "Have a model put queries into words", 1, rows_in, words_request, read_words
)
WORDING: Final = Wording(WRITE, lambda raw: QueryRow(TASK_FILES.task(raw), raw), _with_words)
