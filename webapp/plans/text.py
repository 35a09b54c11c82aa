"""A plan that a person has written as JSON: read within bounds, put into a message, and compared with its schema."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from benchmark.plans.finding import first_object
from benchmark.plans.view import Where
from webapp.pages.plans import Sentence

LONGEST_RAW = 100_000
DEEPEST = 12
"""Brackets inside each other; a plan needs seven."""
LARGEST = 10**12
MOST_FAULTS = 20
"""Faults of shape that are told at once."""


def read_plan(text: str) -> dict[str, Any]:
    """The JSON object in a text, alone or in a fence.

    Raises:
        ValueError: it holds none, or one that can't be kept; the words say why.
    """
    if len(text) > LONGEST_RAW or text.count("{") > LONGEST_RAW // 10 or _depth(text) > DEEPEST:
        raise ValueError(_("This is too long or too deeply nested for a plan."))
    plan = first_object(text)
    if plan is None:
        raise ValueError(_("This is not a JSON object: %(why)s") % {"why": _why_no_json(text)})
    try:
        json.dumps(plan, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        raise ValueError(_("The plan contains a number or a character that JSON can't express.")) from None
    if _largest(plan) > LARGEST:
        raise ValueError(_("The plan contains a number that is too large."))
    return plan


def _largest(value: Any) -> float:
    if isinstance(value, dict | list):
        return max(map(_largest, value.values() if isinstance(value, dict) else value), default=0)
    return abs(value) if isinstance(value, int | float) else 0


def _depth(text: str) -> int:
    depth = deepest = 0
    for letter in text:
        if letter in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif letter in "]}":
            depth -= 1
    return deepest


def _why_no_json(text: str) -> str:
    try:
        json.loads(text)
    except ValueError as error:
        return str(error)
    return _("it has no { and }")


def message_with(words: str, plan: Mapping[str, Any], *finds: Callable[[str], Any]) -> str:
    """A message that posts a plan. finds: the ways in which it is looked for in messages.

    Raises:
        ValueError: the words hide the plan from one of them.
    """
    written = json.dumps(plan, ensure_ascii=False, separators=(",", ":"))
    message = f"{words}\n\n```json\n{written}\n```".strip()
    if any(find(message) != plan for find in finds):
        raise ValueError(_("Leave ``` and JSON out of the words: they hide the plan."))
    return message


def shape_faults(plan: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[Sentence]:
    """Where a plan is not of its schema, a sentence a place, in the order of the plan."""
    from jsonschema import Draft202012Validator  # takes long to import, and few pages check a plan

    errors: dict[Where, Any] = {}
    for error in Draft202012Validator(schema).iter_errors(plan):
        for fault in _faults(error):
            errors.setdefault(tuple(fault.absolute_path), fault)
    for at in sorted(errors, key=_order)[:MOST_FAULTS]:
        yield Sentence(at=at, place=path_words(at), text=_fault_words(errors[at]))


def _faults(error: Any) -> Iterator[Any]:
    """Of a value that may have one of several shapes, what is wrong with the one that it most looks like."""
    if not error.context:
        yield error
        return
    shapes: dict[Any, list[Any]] = {}
    for fault in error.context:
        shapes.setdefault(fault.schema_path[0], []).append(fault)
    likest = max(shapes.values(), key=lambda faults: (min(len(one.path) for one in faults), -len(faults)))
    for fault in likest:
        yield from _faults(fault)


def _order(at: Where) -> list[tuple[int, str]]:
    return [(part, "") if isinstance(part, int) else (-1, part) for part in at]


def path_words(at: Where) -> str:
    """A place in JSON as programs write it: `days[0].stops[2].start`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in at).removeprefix(".")


def _fault_words(error: Any) -> str:
    expected = error.validator_value
    match error.validator:
        case "required":
            missing = [name for name in expected if name not in error.instance]
            return _("“%(names)s” is missing") % {"names": "”, “".join(missing)}
        case "type":
            return _("this must be: %(type)s") % {"type": expected}
        case "enum":
            return _("this must be one of: %(values)s") % {"values": ", ".join(map(str, expected))}
        case "pattern":
            return _("this is not of the form %(pattern)s") % {"pattern": expected}
    return str(error.message)[:200]
