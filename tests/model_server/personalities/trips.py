"""The agent of TripScore: writes one plan from the data that it is shown.

Signs: the system prompt shows the form of a plan, with `dayInfos` and `scheduleDetail`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final
from zlib import crc32

from benchmark.suites.tripscore.planner.agent import make_plan
from benchmark.suites.tripscore.tasks import Task
from tests.model_server.personalities.simple_trips import simple_plan
from tests.model_server.scene import Scene
from tests.model_server.wire import Answer

Plan = dict[str, Any]
_SIGNS: Final = ('"dayInfos"', '"scheduleDetail"')
_LISTS: Final = {"from_city": "transportation", "star": "hotels", "tags": "attractions"}
"""The key by which a line of the data is known, and the list that it is of."""


def is_asked(scene: Scene) -> bool:
    """Whether the request is for this agent."""
    return all(sign in scene.request.system for sign in _SIGNS)


def answer(scene: Scene) -> Answer:
    """The plan as the option `plan` of the model's name has it written."""
    task, way = _task_of(scene), scene.request.name.options.get("plan", "")
    if way == "simple":
        return Answer(_whole(simple_plan(scene)))
    write = _WAYS.get(way, _whole)
    return Answer(write(dict(make_plan(task)), crc32(task.query.model_dump_json().encode())))


def _task_of(scene: Scene) -> Task:
    query: dict[str, Any] = {}
    lists: dict[str, list[Any]] = {name: [] for name in _LISTS.values()}
    for entry in _objects(scene.request.system):
        if "days" in entry and "cities" in entry:
            query = entry
        elif key := next((key for key in _LISTS if key in entry), ""):
            lists[_LISTS[key]].append(entry)
    return Task.model_validate({"id": "shown", "query": query, "reference": lists})


def _objects(text: str) -> Iterator[dict[str, Any]]:
    for line in text.splitlines():
        if line.startswith("{") and line.endswith("}") and '"dayInfos"' not in line:
            try:
                yield json.loads(line)
            except ValueError:
                continue


def _whole(plan: Mapping[str, Any], _number: int = 0) -> str:
    return f"```json\n{json.dumps(plan, ensure_ascii=False)}\n```"


def _with_errors(plan: Plan, number: int) -> str:
    """Of four plans one has a name of its own, one begins in the evening, one is cut off, and one is right."""
    details = [own for day in plan["dayInfos"] for own in day["scheduleDetail"]]
    if number % 4 == 0:
        entries = [entry for own in details for entry in own["detailList"]]
        entries[0]["name"] += " II"
    if number % 4 == 1:
        details[0]["period"] = "Evening"
    words = _whole(plan)
    return words[: len(words) // 2] if number % 4 == 2 else words


_WAYS: Final[Mapping[str, Callable[[Plan, int], str]]] = {"errs": _with_errors, "empty": lambda *_: ""}
