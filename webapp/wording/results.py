"""Tool arguments and results as short readable text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any


def readable(text: str) -> str:
    """JSON text as indented lines, one a fact; any other text as it is."""
    try:
        return as_lines(json.loads(text))
    except (ValueError, RecursionError):
        return text


def as_lines(value: Any) -> str:
    """A value of JSON as indented lines, one a fact."""
    return "\n".join(_lines(value, "")) if isinstance(value, dict | list) else str(value)


def argument_words(arguments: dict[str, Any] | str) -> str:
    """`keywords=本帮菜 city=苏州市`, on one line."""
    if isinstance(arguments, str):
        return arguments
    return " ".join(f"{name}={_short(value)}" for name, value in arguments.items() if value is not None)


def _short(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _lines(value: Any, indent: str) -> Iterator[str]:
    if isinstance(value, dict):
        yield from _facts(value, indent)
    elif _is_flat(value):
        yield indent + _inline(value)
    else:
        for number, item in enumerate(value, 1):
            yield from _numbered_lines(item, indent, number)


def _facts(value: dict[str, Any], indent: str) -> Iterator[str]:
    for key, item in value.items():
        if _is_flat(item):
            yield f"{indent}{key}: {_inline(item)}"
        else:
            yield f"{indent}{key}:"
            yield from _lines(item, indent + "  ")


def _numbered_lines(item: Any, indent: str, number: int) -> Iterator[str]:
    """An item of a list: what is flat on one line, the rest below it."""
    if not isinstance(item, dict):
        yield from _lines(item, indent)
        return
    flat, deep = [], {}
    for key, part in item.items():
        if not _is_flat(part):
            deep[key] = part
        elif part is not None and part != "":
            flat.append(f"{key} {_inline(part)}")
    yield f"{indent}{number}. " + " · ".join(flat)
    yield from _facts(deep, indent + "   ")


def _is_flat(value: Any) -> bool:
    if isinstance(value, list):
        return not any(isinstance(part, dict | list) for part in value)
    return not isinstance(value, dict)


def _inline(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return ", ".join(_inline(part) for part in value)
    if value is None:
        return "–"
    return str(value).lower() if isinstance(value, bool) else str(value)
