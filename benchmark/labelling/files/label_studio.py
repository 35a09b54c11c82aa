"""Label Studio's JSON: tasks with annotations, and the labelling interface that fits them.

https://labelstud.io/guide/task_format and https://labelstud.io/tags. Label Studio refuses a file whose `completed_by`
names none of its users, so that raters are named in the `meta` of each result, which it keeps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

from benchmark.labelling.files.exports import (
    LETTERS,
    PERSON,
    ItemExport,
    LabelExport,
    StudyExport,
    letter_of,
)

LABEL, RATIONALE, ABOUT = "label", "rationale", "prompt"
"""Names of tags: the choices, the reason, and the text that all of them belong to."""
NAMED_ALIKE = re.compile(r"\w{1,60}", re.ASCII)
MOST_STARS = 10
_SIDES = {"left": "plan_a", "right": "plan_b"}


def rating_names(dimensions: Sequence[str]) -> dict[str, str]:
    """The name of each dimension's tag, which takes letters, digits and _ alone."""
    plain = all(map(NAMED_ALIKE.fullmatch, dimensions))
    return {name: f"score_{name if plain else at}" for at, name in enumerate(dimensions, 1)}


def interface(study: StudyExport, *, question: str = "") -> str:
    """The labelling interface: plans beside each other, then the choices or the ratings, and the reason."""
    pair = study.kind == "pairwise"
    shown = [_text("plan_a", "A"), _text("plan_b", "B")] if pair else [_text("plan", "Plan")]
    asked = [f"  <Header value={quoteattr(question)}/>"] if question else []
    lines = [
        "<View>",
        f'  <Text name="{ABOUT}" value="${ABOUT}"/>',
        '  <View style="display: flex; gap: 1em">' if pair else "  <View>",
        *shown,
        "  </View>",
        *asked,
        *(_choices(study) if study.choices else _ratings(study)),
        f'  <TextArea name="{RATIONALE}" toName="{ABOUT}" rows="4" maxSubmissions="1" editable="true"/>',
        "</View>",
    ]
    return "\n".join(lines) + "\n"


def _text(name: str, head: str) -> str:
    return f'    <View style="flex: 1"><Header value="{head}"/><Text name="{name}" value="${name}"/></View>'


def _choices(study: StudyExport) -> Iterator[str]:
    yield f'  <Choices name="{LABEL}" toName="{ABOUT}" choice="single" showInLine="true">'
    for at, words in enumerate(_choice_words(study), 1):
        yield f'    <Choice value="{words}" hotkey="{at}"/>'
    yield "  </Choices>"


def _choice_words(study: StudyExport) -> list[str]:
    """What can be chosen, as files call it; a slightly better side stands between the two sides."""
    plain = list(map(letter_of, study.choices))
    slight = [letter_of(side, slight=True) for side in LETTERS] if study.slight else []
    return [*plain[:1], *slight, *plain[1:]]


def _ratings(study: StudyExport) -> Iterator[str]:
    for dimension, name in rating_names(study.dimensions).items():
        scale = study.scales[dimension]
        yield f"  <Header value={quoteattr(dimension)}/>"
        if _has_stars(scale):
            yield f'  <Rating name="{name}" toName="{ABOUT}" maxRating="{scale[-1]}"/>'
        else:
            yield f'  <Number name="{name}" toName="{ABOUT}" min="{scale[0]}" max="{scale[-1]}" step="1"/>'


def _has_stars(scale: range) -> bool:
    """Whether a scale is one of Label Studio's ratings, which begin with one star and have ten at most."""
    return scale[0] == 1 and scale[-1] <= MOST_STARS


def task(
    study: StudyExport,
    item: ItemExport,
    *,
    prompt: str,
    answers: Mapping[str, str],
    number_raters: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    """An item as a task. People's present first answers are annotations, those of models predictions.

    prompt: the task in words; answers: plans or words by session. number_raters: numbers by name for `completed_by`,
    which only programs take that do not ask for users of that number; None leaves it out.
    """
    labels = [label for label in item.labels if label.current and not label.repeat]
    people = [label for label in labels if label.rater_kind == PERSON]
    models = [label for label in labels if label.rater_kind != PERSON]
    told = {
        "item": item.number,
        "study": study.id,
        "task": item.task,
        "stratum": item.stratum,
        "purpose": item.purpose,
        ABOUT: prompt,
        **_answer_fields(study, item, answers),
        "decision": letter_of(item.decision.choice, slight=item.decision.slight) if item.decision else "",
    }
    return {
        "id": item.number,
        "data": told,
        "annotations": [
            _annotation(study, item, at, label, number_raters) for at, label in enumerate(people)
        ],
        "predictions": [
            {"model_version": label.rater, "result": _results(study, item, at, label)}
            for at, label in enumerate(models, len(people))
        ],
    }


def _answer_fields(study: StudyExport, item: ItemExport, answers: Mapping[str, str]) -> dict[str, str]:
    if study.kind != "pairwise":
        return {"plan": answers.get(item.left, "")}
    return {name: answers.get(getattr(item, side), "") for side, name in _SIDES.items()}


def _annotation(
    study: StudyExport,
    item: ItemExport,
    at: int,
    label: LabelExport,
    numbers: Mapping[str, int] | None,
) -> dict[str, Any]:
    return {
        "id": item.number * 1000 + at,
        "result": _results(study, item, at, label),
        "was_cancelled": False,
        "ground_truth": False,
        "lead_time": label.seconds,
        "created_at": label.at,
        **({"completed_by": numbers[label.rater]} if numbers is not None else {}),
    }


def _results(study: StudyExport, item: ItemExport, at: int, label: LabelExport) -> list[dict[str, Any]]:
    results: list[tuple[str, str, dict[str, Any]]] = []
    if label.choice:
        results.append((LABEL, "choices", {"choices": [letter_of(label.choice, slight=label.slight)]}))
    names = rating_names(study.dimensions)
    results += [
        (names[dimension], kind, {kind: score})
        for dimension, score in label.scores.items()
        if dimension in names
        for kind in ["rating" if _has_stars(study.scales[dimension]) else "number"]
    ]
    if label.rationale:
        results.append((RATIONALE, "textarea", {"text": [label.rationale]}))
    return [
        {
            "id": f"c{item.number}-{at}-{name}",
            "from_name": name,
            "to_name": ABOUT,
            "type": kind,
            "value": value,
            "origin": "manual",
            "meta": {"rater": label.rater},
        }
        for name, kind, value in results
    ]
