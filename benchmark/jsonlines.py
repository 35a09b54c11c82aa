"""Values as lines of JSON."""

from __future__ import annotations

import json
from typing import Any

import orjson


def json_line(value: Any) -> bytes:
    """One JSON line with its end, with null for NaN and infinities.

    What orjson can't write (lone surrogates, huge integers, deep nesting) is written with escapes. Raises
    RecursionError for what is nested too deeply, TypeError for what is no JSON.
    """
    try:
        return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)
    except (TypeError, ValueError):
        finite = json.loads(json.dumps(value), parse_constant=lambda _: None)
        return json.dumps(finite).encode() + b"\n"
