"""A query put into words by a model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from benchmark.judging.json_objects import objects_in, plain
from benchmark.making import Unusable
from benchmark.models import ChatRequest
from benchmark.models.answers import storable
from benchmark.suites.traveleval.making.words import PROMPTS
from benchmark.suites.traveleval.tasks import Query
from benchmark.suites.traveleval.tasks.tags import english_city

CHINESE, ENGLISH = "nature_language", "nature_language_en"
_TEXTS: Final = (CHINESE, ENGLISH)
TRIES: Final = 3
"""Answers to one query until one can be used."""


def words_request(task: Query, raw: Mapping[str, Any]) -> ChatRequest:
    """What a model is asked. raw: the query as it stands in a file, the words of which are not told."""
    told = {name: value for name, value in raw.items() if name not in _TEXTS}
    asked = PROMPTS.fill(task.language, "write_user", query=json.dumps(told, ensure_ascii=False, indent=1))
    system = {"role": "system", "content": PROMPTS.fill(task.language, "write_system")}
    return ChatRequest((system, {"role": "user", "content": asked}), temperature=0.9, json_object=True)


def read_words(task: Query, answer: str) -> dict[str, str]:
    """Both texts. Raises Unusable: one is missing, or lacks a city, the days or the budget."""
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
