"""Run by the Python of label-studio-sdk: validates tasks against their interface; prints what is wrong, as JSON.

Label Studio gives annotations without `completed_by` to whoever imports them, as is done here; its type asks for one.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from label_studio_sdk.label_interface import LabelInterface  # type: ignore[import-not-found]
from label_studio_sdk.label_interface.objects import TaskValue  # type: ignore[import-not-found]


def main(config: str, path: str) -> None:
    """Whatever it finds wrong stands in `problems`."""
    interface = LabelInterface(Path(config).read_text("utf-8"))
    interface.validate()
    tasks: list[dict[str, Any]] = json.loads(Path(path).read_text("utf-8"))
    problems = [f"task {task['id']}: data" for task in tasks if not _fits(interface, task)]
    counts = {"annotations": 0, "predictions": 0}
    for task in tasks:
        TaskValue.model_validate(
            {**task, "annotations": [{"completed_by": 1} | one for one in task["annotations"]]}
        )
        for kind in counts:
            for one in task[kind]:
                counts[kind] += 1
                told = interface.validate_prediction(one, return_errors=True)
                problems += [f"task {task['id']}: {kind}: {words}" for words in told]
                if kind == "annotations" and not interface.validate_annotation(one):
                    problems.append(f"task {task['id']}: annotation {one['id']}")
    tags = {one.name: one.tag for one in interface.controls}
    wrong = {**tasks[0]["annotations"][0]}
    wrong["result"] = [{**wrong["result"][0], "value": {"choices": ["no such answer"]}}]
    told = {"problems": problems, "tasks": len(tasks), "tags": tags, **counts}
    print(json.dumps({**told, "takes_wrong": interface.validate_annotation(wrong)}, ensure_ascii=False))


def _fits(interface: LabelInterface, task: dict[str, Any]) -> bool:
    return bool(interface.validate_task({"data": task["data"]}))


main(*sys.argv[1:])
