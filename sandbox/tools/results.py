"""What tools return, as text: written in one way, and read in one."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn


def compact(value: object) -> str:
    """JSON as tools return it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def read_json(text: str) -> Any:
    """The value that a text stands for.

    Raises:
        ValueError: it is no JSON, or one that could not be written again: NaN, infinite, nested too deep.
    """
    try:
        return json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def is_error(value: object) -> bool:
    """Whether a result is an object with the one field `error`, as the tools report one."""
    return isinstance(value, dict) and list(value) == ["error"]


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"{text[:20]} is too large")
    return value
