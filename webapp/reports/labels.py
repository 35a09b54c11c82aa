"""Human ratings of sessions, from a file: what a judge is compared with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmark.inputs import BOM, LineProblem, filled_lines
from benchmark.jsonlines import read_json, why_unstorable
from benchmark.judging import Dimension
from benchmark.reports import RatedSession, UnmatchedRatings
from benchmark.text.spelling import FieldSpellings, plain
from webapp.judging.verdicts import Verdict

NAMES = ("session", "dimension", "annotator")
"""Fields that name something."""


class BadLabel(ValueError):
    """A line that is no label; says which line and field."""


@dataclass(frozen=True, slots=True)
class Label:
    """What one annotator says of one dimension of a session, on its scale."""

    session: str
    dimension: str
    score: int
    annotator: str


def read_labels(
    text: str, dimensions: Iterable[Dimension], names: FieldSpellings | None = None
) -> list[Label]:
    """From JSON lines with the fields session, dimension (one of these), score and annotator; raises BadLabel.

    Names are compared as `benchmark.text.spelling.plain` writes them. names: gathers how they are written.
    """
    names = names or FieldSpellings()
    written = enumerate(text.encode().removeprefix(BOM).split(b"\n"), 1)
    lines = list(map(_line, filled_lines(written, len(text), "label")))
    scales = {dimension.key: dimension.scale for dimension in dimensions}
    labels = [_label(number, line, scales, names) for number, line in lines]
    seen: dict[tuple[str, str, str], int] = {}
    for (number, _), label in zip(lines, labels, strict=True):
        whose = label.session, label.dimension, label.annotator
        if seen.setdefault(whose, number) != number:
            raise BadLabel(f"line {number}: {label.annotator} has rated this on line {seen[whose]}")
    return labels


def _line(item: tuple[int, bytes] | LineProblem) -> tuple[int, bytes]:
    if isinstance(item, LineProblem):
        raise BadLabel(str(item))
    return item


def _label(number: int, line: bytes, scales: Mapping[str, range], names: FieldSpellings) -> Label:
    try:
        given = read_json(line)
    except ValueError as error:
        raise BadLabel(f"line {number}: no JSON ({error})") from None
    if not isinstance(given, dict):
        raise BadLabel(f"line {number}: no object")
    for field, problem in _problems(given, scales):
        raise BadLabel(f"line {number}, {field}: {problem}")
    session, dimension, annotator = (names.plain(name, given[name]) for name in NAMES)
    return Label(session, dimension, given["score"], annotator)


def _problems(given: Mapping[str, Any], scales: Mapping[str, range]) -> Iterator[tuple[str, str]]:
    for field in NAMES:
        if not isinstance(given.get(field), str) or not plain(given[field]):
            yield field, "is missing or no text"
        elif why := why_unstorable(given[field]):
            yield field, why
    name = plain(str(given.get("dimension")))
    if name not in scales:
        yield "dimension", f"is none of {', '.join(scales)}"
    scale = scales.get(name, Dimension("", "").scale)
    if type(given.get("score")) is not int or given["score"] not in scale:
        yield "score", f"is not a whole number from {scale[0]} to {scale[-1]}"


def match_labels(
    labels: Sequence[Label], verdicts: Mapping[str, Sequence[Verdict]]
) -> tuple[list[RatedSession], UnmatchedRatings]:
    """The sessions that people rated and the judge as well; those that only people rated.

    verdicts: of every session of the report, empty for one that has none. One without ratings says nothing here.
    """
    given = {session: [verdict for verdict in own if verdict.ratings] for session, own in verdicts.items()}
    people: dict[str, dict[str, dict[str, int]]] = {}
    for label in labels:
        own = people.setdefault(label.session, {}).setdefault(label.annotator, {})
        own[label.dimension] = label.score
    unknown = [session for session in people if session not in given]
    unjudged = [session for session in people if session in given and not given[session]]
    rated = [
        RatedSession(_means(given[session]), list(humans.values()))
        for session, humans in people.items()
        if given.get(session)
    ]
    return rated, UnmatchedRatings(unknown, unjudged)


def _means(verdicts: Sequence[Verdict]) -> dict[str, float]:
    return {
        name: sum(verdict.ratings[name] for verdict in verdicts) / len(verdicts)
        for name in verdicts[0].ratings
    }
