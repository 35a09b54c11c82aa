"""What models are asked in the making of queries: words for them, what a request means, whether data fit them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from benchmark.judging.json_objects import objects_in, plain
from benchmark.making import ModelStep, Unusable
from benchmark.models import ChatRequest
from benchmark.models.answers import storable
from benchmark.suites.tripscore.making.requests import Intent, is_long_enough, planning_intents
from benchmark.suites.tripscore.tasks import TASK_FILES, Task
from benchmark.text.prompts import Prompts
from benchmark.worded_sets import TaskRow, Wording
from sandbox.tools.language import Language

PROMPTS: Final = Prompts(Path(__file__).parent / "prompts")
REQUEST: Final = "user_request"


QueryRow = TaskRow[Task]


def rows_in(path: Path) -> list[QueryRow]:
    """The queries of a file. Raises OSError, ValueError."""
    return [QueryRow(read.task, read.raw) for read in TASK_FILES.whole(path)]


def _ask(language: Language, name: str, temperature: float, **fields: object) -> ChatRequest:
    system = {"role": "system", "content": PROMPTS.fill(language, f"{name}_system")}
    user = {"role": "user", "content": PROMPTS.fill(language, f"{name}_user", **fields)}
    return ChatRequest((system, user), temperature=temperature, json_object=True)


def _find_answer(answer: str, *names: str) -> Mapping[str, Any]:
    """The last object of an answer that has these keys. Raises Unusable."""
    found = [one for one in objects_in(answer).whole if all(plain(name) in one for name in names)]
    if not found:
        raise Unusable(f"no JSON object with {', '.join(names)}")
    return found[-1]


def write_request(row: QueryRow) -> ChatRequest:
    """Asks for the words of a query."""
    query = {key: value for key, value in row.raw["query"].items() if key != REQUEST}
    return _ask(row.language, "write", 0.9, query=json.dumps(query, ensure_ascii=False, indent=1))


def read_words(row: QueryRow, answer: str) -> dict[str, str]:
    """The words. Raises Unusable: there are none, too few, or they lack a city, the days or the day of departure."""
    told = _find_answer(answer, REQUEST)
    words = " ".join(storable(str(told[plain(REQUEST)])).split())
    query = row.task.query
    cities = [*([query.departure_city] if query.departure_city else []), *query.cities]
    wanted = (*cities, *map(str, (query.days, query.start_date.month, query.start_date.day)))
    if missing := [word for word in wanted if word not in words]:
        raise Unusable(f"{REQUEST} lacks {missing[0]}")
    if not is_long_enough(words):
        raise Unusable(f"{REQUEST} is too short")
    return {REQUEST: words}


def _with_words(raw: Mapping[str, Any], words: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**raw, "query": {**raw["query"], **words}}


WRITE: Final = ModelStep(
    "write", "Have a model put queries into words", 1, rows_in, write_request, read_words
)
WORDING: Final = Wording(WRITE, lambda raw: QueryRow(TASK_FILES.task(raw), raw), _with_words)


def _understand_request(intent: Intent) -> ChatRequest:
    told = {"time": intent.time, "place": intent.place or "–", "query": intent.query, "intent": intent.intent}
    return _ask(intent.language, "understand", 0.0, **told)


def _read_journey(_intent: Intent, answer: str) -> Mapping[str, Any]:
    told = _find_answer(answer, "cities", "days", "impossible")
    names = ("departure_city", "cities", "days", "start_date", "impossible")
    return {name: told.get(plain(name)) for name in names}


UNDERSTAND: Final = ModelStep(
    "understand",
    "Have a model tell which journey a person's request asks for (tasks as TravelBench exports them)",
    1,
    planning_intents,
    _understand_request,
    _read_journey,
)


def _check_request(row: QueryRow) -> ChatRequest:
    reference = row.task.reference
    data = {
        "sights": [[place.name, place.city, *place.tags] for place in reference.attractions],
        "hotels": [[place.name, place.city, place.star] for place in reference.hotels],
        "legs": dict(
            Counter(f"{leg.mode} {leg.from_city} → {leg.to_city}" for leg in reference.transportation)
        ),
    }
    fields = {key: value for key, value in row.raw["query"].items() if key != REQUEST}
    told = {"request": row.task.query.user_request or "–", "query": _json(fields), "data": _json(data)}
    return _ask(row.language, "check", 0.0, **told)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _read_contradiction(_row: QueryRow, answer: str) -> Mapping[str, Any]:
    told = _find_answer(answer, "contradiction")[plain("contradiction")]
    return {"contradiction": storable(str(told or "")).strip()}


CHECK: Final = ModelStep(
    "check",
    "Have a model say whether the data of queries contradict them",
    1,
    rows_in,
    _check_request,
    _read_contradiction,
)
