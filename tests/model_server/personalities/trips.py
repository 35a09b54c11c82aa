"""The agent of TripScore: writes one plan from the data that it is shown.

Signs: the system prompt shows the form of a plan, with `dayInfos` and `scheduleDetail`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final
from zlib import crc32

from benchmark.suites.tripscore.planner.agent import make_plan
from benchmark.suites.tripscore.tasks import Task
from tests.model_server.personalities.simple_trips import simple_plan
from tests.model_server.request import text_of
from tests.model_server.scene import Scene
from tests.model_server.wire import Answer

Plan = dict[str, Any]
_SIGNS: Final = ('"dayInfos"', '"scheduleDetail"')
_RULES: Final = re.compile(r"^(\d+): (\w+)(?: \| \w+)*$", re.M)
_LEAF: Final = re.compile(r"^\[(?:Leaf|叶)\] (.+)$", re.M)
_TREE: Final = re.compile(r"^\[(?:Tree|树)\] ", re.M)
_LISTS: Final = {"from_city": "transportation", "star": "hotels", "tags": "attractions"}
"""The key by which a line of the data is known, and the list that it is of."""


def is_asked(scene: Scene) -> bool:
    """Whether the request is for this agent."""
    return all(sign in scene.request.system for sign in _SIGNS)


def answer(scene: Scene) -> Answer:
    """A rule for each node of a tree, a word for a leaf, else the plan as the option `plan` of the model's name
    has it written.

    Once it was told what is wrong with one, or from a tree, it is right.
    """
    last = scene.request.last
    if rules := _RULES.findall(last):
        return Answer(_whole(dict(rules)))
    if leaf := _LEAF.search(last):
        return Answer(f"{leaf[1]}: as the data has it.")
    spoken = (text_of(message) for message in scene.request.messages if message["role"] == "assistant")
    is_helped = _TREE.search(last) or any(_SIGNS[0] in text for text in spoken)
    task, way = _task_of(scene), scene.request.name.options.get("plan", "")
    if way == "simple":
        return Answer(_whole(simple_plan(scene)))
    write = _whole if is_helped and way in _WAYS_WITH_ERRORS else _WAYS.get(way, _whole)
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


def _without_a_night(plan: Plan, _number: int) -> str:
    """The first hotel is forgotten."""
    for day in plan["dayInfos"]:
        kept = [
            own for own in day["scheduleDetail"] if all(item["type"] != "hotel" for item in own["detailList"])
        ]
        if kept and len(kept) < len(day["scheduleDetail"]):
            day["scheduleDetail"] = kept
            break
    return _whole(plan)


_WAYS_WITH_ERRORS: Final = ("errs", "forgets")
_WAYS: Final[Mapping[str, Callable[[Plan, int], str]]] = {
    "errs": _with_errors,
    "forgets": _without_a_night,
    "empty": lambda *_: "",
}
