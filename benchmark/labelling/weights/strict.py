"""JSON without what readers understand differently: repeated keys, figures that are none, broken characters."""

from __future__ import annotations

import math
from functools import partial
from reprlib import Repr
from typing import Any

from benchmark.inputs import BOM
from benchmark.jsonlines import read_json
from benchmark.text.spelling import FieldSpellings

LARGEST_VALUE = 1e9
"""Of a metric. Scores count as equal within 1e-12, so far larger values leave no digits that could be compared."""
LARGEST_WEIGHT, SMALLEST_WEIGHT = 1e6, 1e-6
_SHORT = Repr()


def parse_strictly(text: bytes | str, names: FieldSpellings | None = None) -> Any:
    """What a JSON text holds. Raises ValueError that says what is wrong and where.

    names: gathers how the names of its objects are written.
    """
    written = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return read_json(
        written.removeprefix(BOM), endless=True, hook=partial(_without_repeats, names or FieldSpellings())
    )


def shorten(value: Any) -> str:
    """A value as an error shows it: in short."""
    return _SHORT.repr(value)


def number_problem(value: Any) -> str | None:
    """Why a value is no finite number, None if it is one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f"expected a number, found {shorten(value)}"
    try:
        finite = math.isfinite(float(value))
    except OverflowError:
        finite = False
    return None if finite else f"expected a finite number, found {shorten(value)}"


def value_problem(value: Any) -> str | None:
    """Why a value is none of a metric, None if it is one."""
    wrong = number_problem(value)
    if wrong:
        return f"{wrong}; write null where there is no value"
    if abs(value) > LARGEST_VALUE:
        return f"{value:g} is beyond {LARGEST_VALUE:g}; use a larger unit, scores are compared to 1e-12"
    return None


def weight_problem(value: Any) -> str | None:
    """Why a value is no weight, None if it is one."""
    wrong = number_problem(value)
    if wrong:
        return wrong
    if value < 0:
        return f"a weight can't be negative, found {value:g}; turn the metric round (1 − m) instead"
    if value and not SMALLEST_WEIGHT <= value <= LARGEST_WEIGHT:
        return (
            f"a weight is 0 or between {SMALLEST_WEIGHT:g} and {LARGEST_WEIGHT:g}, found {value:g}; "
            "only ratios count, so choose a common factor"
        )
    return None


def _without_repeats(spellings: FieldSpellings, items: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, its keys as they are compared: composed, without characters of no width."""
    names = [spellings.plain("name", name) for name, _ in items]
    values_by_name = dict(zip(names, (value for _, value in items), strict=True))
    if len(values_by_name) < len(items):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{shorten(twice)} stands twice in one object; leave one out")
    return values_by_name
