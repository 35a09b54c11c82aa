"""Labels from what Label Studio exports as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from benchmark.labelling.files.checks import (
    LONGEST_TEXT,
    ItemAnswers,
    ItemClues,
    Reading,
    Wrong,
    is_normal,
    label_text,
    list_of,
    load_object,
    moment_of,
    object_of,
    rater_name,
    read_part,
    refusal,
    seconds_of,
    text_of,
)
from benchmark.labelling.files.exports import LabelExport, side_of
from benchmark.labelling.files.label_studio import LABEL, RATIONALE, rating_names


def read_tasks(reading: Reading, text: str) -> None:
    """`line` of a problem is the position of the task in the file, from 1."""
    try:
        tasks = list_of(load_object(text), "")
    except Wrong as problem:
        words = f"{problem} (Label Studio’s export as JSON is a list of tasks)"
        raise refusal(1, "", words) from problem
    if not tasks:
        raise refusal(
            1, "", "the file holds no task; export the project from Label Studio once it is labelled"
        )
    people = dict(_people(tasks))
    for at, value in enumerate(tasks, 1):
        try:
            _studio_task(reading, at, object_of(value, ""), people)
        except Wrong as problem:
            reading.wrong(at, problem)


def _people(tasks: Sequence[Any]) -> Iterator[tuple[str, str]]:
    """The names of annotators by their ids: some annotations of an export tell both, others the id alone."""
    for task in tasks:
        annotations = task.get("annotations") if isinstance(task, dict) else None
        for given in annotations if isinstance(annotations, list) else ():
            by = given.get("completed_by") if isinstance(given, dict) else None
            if isinstance(by, dict) and by.get("id") is not None:
                yield str(by["id"]), _person_name(by)


def _studio_task(reading: Reading, at: int, task: Mapping[str, Any], people: Mapping[str, str]) -> None:
    told = object_of(task.get("data", {}), "data")
    if "annotations" not in task:
        raise Wrong("annotations", "missing; export from Label Studio as JSON, not as JSON-MIN")
    if "item" not in told:
        raise Wrong("data.item", "missing; give the number of the item in the task’s data")
    item = reading.item(told["item"], ItemClues(task=str(told.get("task", ""))))
    counts = is_normal(told.get("purpose", ""))
    for number, given in enumerate(list_of(task["annotations"], "annotations")):
        path = f"annotations[{number}]"
        read_part(reading, at, path, partial(_annotation, reading, at, item, given, counts, people))


def _annotation(
    reading: Reading, at: int, item: ItemAnswers, value: Any, counts: bool, people: Mapping[str, str]
) -> None:
    given = object_of(value, "")
    results = [object_of(result, "result") for result in list_of(given.get("result", []), "result")]
    # Label Studio keeps a skipped task as a cancelled annotation, which says nothing
    if given.get("was_cancelled") or not results:
        return
    names = {tag: dimension for dimension, tag in rating_names(tuple(reading.terms.scales)).items()}
    choice, slight, rationale = "", False, ""
    scores: dict[str, Any] = {}
    for result in results:
        tag, told = str(result.get("from_name", "")), object_of(result.get("value", {}), "result.value")
        if tag == LABEL:
            choices = list_of(told.get("choices", []), "result.value.choices")
            choice, slight = side_of(
                label_text(choices[0] if choices else "", "result.value.choices", reading.names)
            )
        elif tag in names:
            scores[names[tag]] = told.get("rating", told.get("number"))
        elif tag == RATIONALE:
            lines = [
                text_of(line, "result.value.text", LONGEST_TEXT)
                for line in list_of(told.get("text", []), "result.value.text")
            ]
            rationale = text_of("\n".join(lines), "result.value.text", LONGEST_TEXT)
    if not (choice or scores):
        raise Wrong(
            "result", f"nothing named {LABEL} or score_…; label with the interface that Caravan exports"
        )
    label = LabelExport(
        rater=rater_name(_annotator(given, results, people), reading.names),
        choice=choice,
        slight=slight,
        scores=scores,
        rationale=rationale,
        seconds=seconds_of(given.get("lead_time")),
        at=moment_of(str(given.get("created_at") or "").replace("Z", "+00:00")),
        counts=counts,
    )
    reading.add(at, item, label)


def _annotator(
    given: Mapping[str, Any], results: Sequence[Mapping[str, Any]], people: Mapping[str, str]
) -> str:
    """Who annotated: as we named them, else as Label Studio does. people: names by id."""
    for result in results:
        meta = result.get("meta")
        if isinstance(meta, dict) and isinstance(meta.get("rater"), str):
            return str(meta["rater"])
    by = given.get("completed_by")
    if isinstance(by, dict):
        return _person_name(by)
    return "Label Studio" if by is None else people.get(str(by), f"Label Studio {by}")


def _person_name(by: Mapping[str, Any]) -> str:
    name = f"{by.get('first_name') or ''} {by.get('last_name') or ''}".strip()
    return str(name or by.get("email") or f"Label Studio {by.get('id', '')}")
