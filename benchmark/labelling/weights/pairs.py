"""Labelled pairs of plans: the values of both by metric, and which one people found better."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, cast, get_args

from benchmark.inputs import MB, LineProblem, Problems, filled_lines
from benchmark.jsonlines import why_unstorable
from benchmark.labelling.weights.strict import parse_strictly, shorten, value_problem
from benchmark.text.spelling import FieldSpellings, plain

Label = Literal["A", "B", "tie", "neither"]
LABELS: tuple[Label, ...] = get_args(Label)
SIGN: dict[Label, int] = {"A": 1, "B": -1, "tie": 0, "neither": 0}
"""What the sign of R(a) − R(b) should be."""
LONGEST_PAIR = MB
"""Bytes of one line."""
_FIELDS = frozenset({"id", "stratum", "label", "a", "b"})


class PairsError(ValueError):
    """The pairs were refused; the message says line, field and remedy of each problem."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two feasible plans of one query. a, b: values by metric, without those that are missing.

    stratum: what folds are balanced over beside the label, such as the pair of models; "" for none.
    """

    id: str
    stratum: str
    label: Label
    a: Mapping[str, float]
    b: Mapping[str, float]

    def as_json(self) -> dict[str, Any]:
        """As `pairs_of` reads it."""
        return asdict(self)

    @property
    def sign(self) -> int:
        """1 for A, -1 for B, 0 for a tie or neither."""
        return SIGN[self.label]


def read_pairs(lines: Iterable[bytes | str | None], names: FieldSpellings | None = None) -> list[Pair]:
    """Pairs of JSON lines, in their order; blank lines are skipped, other fields are not read.

    None stands for a line that is too long, as `benchmark.inputs.numbered_lines` gives it. names: gathers how names
    and labels are written. Raises PairsError with what is wrong with every line.
    """
    names = names or FieldSpellings()
    written = (line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line for line in lines)
    bounded = (line if line is None or len(line) <= LONGEST_PAIR else None for line in written)
    read = filled_lines(enumerate(bounded, 1), LONGEST_PAIR, "pair")
    return _collect_pairs((_parse_line(item, names) for item in read), names)


def _parse_line(
    item: tuple[int, bytes] | LineProblem, names: FieldSpellings
) -> tuple[int, Any] | LineProblem:
    """The number of a line with what it holds, or what is wrong with it."""
    if isinstance(item, LineProblem):
        return item
    number, line = item
    try:
        return number, parse_strictly(line, names)
    except ValueError as error:
        return LineProblem(number, "", str(error))


def pairs_of(values: Iterable[Any]) -> list[Pair]:
    """Pairs of parsed JSON, an object each. Raises PairsError as `read_pairs`, with places for lines."""
    return _collect_pairs(enumerate(values, 1), FieldSpellings())


def _collect_pairs(values: Iterable[tuple[int, Any] | LineProblem], names: FieldSpellings) -> list[Pair]:
    """values: with the number of their line each. Raises PairsError with all that is wrong."""
    pairs, problems, line_by_id = list[Pair](), Problems(), dict[str, int]()
    for value in values:
        if isinstance(value, LineProblem):
            problems.add(value)
            continue
        number, raw = value
        wrong = list(_problems(raw)) or list(_repeated_ids(number, raw, line_by_id))
        for where, message in wrong:
            problems.add(LineProblem(number, where, message))
        if not wrong:
            pairs.append(_pair(raw, names))
    if not pairs and not problems:
        problems.add(LineProblem(1, "", "there is no pair; label some first"))
    if problems:
        raise PairsError(problems)
    return pairs


def _pair(raw: dict[str, Any], names: FieldSpellings) -> Pair:
    stratum = raw.get("stratum")
    return Pair(
        id=names.plain("id", str(raw["id"])),
        stratum="" if stratum is None else names.plain("stratum", str(stratum)),
        label=cast("Label", names.plain("label", raw["label"])),
        a=_values(raw["a"]),
        b=_values(raw["b"]),
    )


def _repeated_ids(number: int, raw: dict[str, Any], line_by_id: dict[str, int]) -> Iterator[tuple[str, str]]:
    first = line_by_id.setdefault(plain(str(raw["id"])), number)
    if first != number:
        yield "id", f"{shorten(raw['id'])} stands on line {first} already; give each pair its own id"


def _values(raw: dict[str, Any]) -> dict[str, float]:
    return {metric: float(value) for metric, value in raw.items() if value is not None}


def _problems(raw: Any) -> Iterator[tuple[str, str]]:
    """Fields and what is wrong with them."""
    if not isinstance(raw, dict):
        yield "", f"expected an object with {', '.join(sorted(_FIELDS))}, found {shorten(raw)}"
        return
    yield from _name_problems(raw, "id", needed=True)
    yield from _name_problems(raw, "stratum", needed=False)
    label = raw.get("label")
    if not isinstance(label, str) or plain(label) not in LABELS:
        what_is_there = f"found {shorten(label)}" if "label" in raw else "it is missing"
        yield "label", f"expected one of {', '.join(LABELS)}, {what_is_there}"
    for side in ("a", "b"):
        yield from _side_problems(raw, side)


def _name_problems(raw: dict[str, Any], name: str, *, needed: bool) -> Iterator[tuple[str, str]]:
    value = raw.get(name)
    if value is None or value == "":
        if needed:
            yield name, "is missing; give each pair an id of its own"
    elif isinstance(value, bool) or not isinstance(value, str | int):
        yield name, f"expected a text or a whole number, found {shorten(value)}"
    elif wrong := why_unstorable(str(value)):
        yield name, wrong


def _side_problems(raw: dict[str, Any], side: str) -> Iterator[tuple[str, str]]:
    values = raw.get(side)
    if not isinstance(values, dict):
        what_is_there = f"found {shorten(values)}" if side in raw else "it is missing"
        yield side, f"expected an object with a number for each metric, {what_is_there}"
        return
    for metric, value in values.items():
        wrong = why_unstorable(metric) or (None if value is None else value_problem(value))
        if wrong:
            yield f"{side}.{metric if metric.isprintable() else ascii(metric)}", wrong
