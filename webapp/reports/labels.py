"""Human ratings of sessions, from a file: what a judge is compared with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from benchmark.reports import Labelled, Unmatched
from benchmark.suites.grouptravel.judging.rubric import DIMENSIONS
from webapp.judging.verdicts import Verdict


class BadLabel(ValueError):
    """A line that is no label; says which line and field."""


@dataclass(frozen=True, slots=True)
class Label:
    """What one annotator says of one dimension of a session, 1 to 5."""

    session: str
    dimension: str
    score: int
    annotator: str


def read_labels(text: str) -> list[Label]:
    """From JSON lines with the fields session, dimension, score and annotator; raises BadLabel."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    labels = [_label(number, line) for number, line in lines]
    seen: dict[tuple[str, str, str], int] = {}
    for (number, _), label in zip(lines, labels, strict=True):
        whose = label.session, label.dimension, label.annotator
        if seen.setdefault(whose, number) != number:
            raise BadLabel(f"line {number}: {label.annotator} has rated this on line {seen[whose]}")
    return labels


def _label(number: int, line: str) -> Label:
    try:
        told = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise BadLabel(f"line {number}: no JSON ({error})") from None
    if not isinstance(told, dict):
        raise BadLabel(f"line {number}: no object")
    for field, problem in _problems(told):
        raise BadLabel(f"line {number}, {field}: {problem}")
    return Label(told["session"], told["dimension"], told["score"], told["annotator"])


def _problems(told: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for field in ("session", "dimension", "annotator"):
        if not isinstance(told.get(field), str) or not told[field]:
            yield field, "is missing or no text"
    if told.get("dimension") not in DIMENSIONS:
        yield "dimension", f"is none of {', '.join(DIMENSIONS)}"
    if type(told.get("score")) is not int or told["score"] not in range(1, 6):
        yield "score", "is no whole number from 1 to 5"


def labelled(
    labels: Sequence[Label], verdicts: Mapping[str, Sequence[Verdict]]
) -> tuple[list[Labelled], Unmatched]:
    """The sessions that people rated and the judge as well; those that only people rated.

    verdicts: of every session of the report, empty for one that has none. One without ratings says nothing here.
    """
    told = {session: [one for one in own if one.ratings] for session, own in verdicts.items()}
    people: dict[str, dict[str, dict[str, int]]] = {}
    for label in labels:
        own = people.setdefault(label.session, {}).setdefault(label.annotator, {})
        own[label.dimension] = label.score
    unknown = [session for session in people if session not in told]
    unjudged = [session for session in people if session in told and not told[session]]
    rated = [
        Labelled(_means(told[session]), list(humans.values()))
        for session, humans in people.items()
        if told.get(session)
    ]
    return rated, Unmatched(unknown, unjudged)


def _means(verdicts: Sequence[Verdict]) -> dict[str, float]:
    return {name: sum(one.ratings[name] for one in verdicts) / len(verdicts) for name in DIMENSIONS}
