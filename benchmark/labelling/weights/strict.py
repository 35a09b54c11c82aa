"""JSON without what readers understand differently: repeated keys, figures that are none, broken characters."""

from __future__ import annotations

import json
import math
from reprlib import Repr
from typing import Any, NoReturn

from benchmark.inputs import BOM

LARGEST_VALUE = 1e9
"""Of a metric. Scores count as equal within 1e-12, so far larger values leave no digits that could be compared."""
LARGEST_WEIGHT, SMALLEST_WEIGHT = 1e6, 1e-6
_LONGEST_FIGURE = 300
_SHORT = Repr()


def parsed(text: bytes | str) -> Any:
    """What a JSON text holds. Raises ValueError that says what is wrong and where."""
    try:
        whole = text if isinstance(text, str) else text.removeprefix(BOM).decode("utf-8")
        found = json.loads(
            whole.removeprefix("\ufeff"),
            parse_constant=_no_number,
            parse_int=_whole,
            object_pairs_hook=_without_repeats,
        )
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 at byte {error.start + 1}; save the file as UTF-8") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, character {error.colno}"
        raise ValueError(f"not valid JSON at {where}: {error.msg}; is the text cut off?") from error
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return found


def shown(value: Any) -> str:
    """A value as an error shows it: in short."""
    return _SHORT.repr(value)


def text_problem(text: str) -> str | None:
    """Why a text can't be stored, None if it can."""
    if "\x00" in text:
        return "holds the character NUL, which can't be stored; remove it"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "holds half a character (a lone surrogate), which can't be stored; write it as UTF-8"
    return None


def number_problem(value: Any) -> str | None:
    """Why a value is no finite number, None if it is one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f"expected a number, found {shown(value)}"
    try:
        finite = math.isfinite(float(value))
    except OverflowError:
        finite = False
    return None if finite else f"expected a finite number, found {shown(value)}"


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


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number in JSON; write a finite figure, or null for a missing value")


def _whole(figure: str) -> int:
    if len(figure) > _LONGEST_FIGURE:
        raise ValueError(f"a figure has {len(figure)} digits")
    return int(figure)


def _without_repeats(items: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(items)
    if len(found) < len(items):
        names = [name for name, _ in items]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{shown(twice)} stands twice in one object; leave one out")
    return found
