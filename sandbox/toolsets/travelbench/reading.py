"""How a call is read: as the schemas say (`strict`), or as the published program lets it through (`lenient`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, get_origin

from pydantic import ValidationError

from sandbox.calls import Call
from sandbox.tools.errors import PlainFailure, ToolFailure
from sandbox.tools.language import Language, Says
from sandbox.tools.results import compact
from sandbox.tools.tool import Arguments, Tool
from sandbox.toolsets.base import KeyForm, Read
from sandbox.toolsets.base import read_strictly as read_by_schema
from sandbox.toolsets.travelbench.arguments import TimedArguments
from sandbox.toolsets.travelbench.rules import CHECKS_BY_TOOL, EMPTY_END

UNREADABLE = "raw_arguments"
"""The argument that holds a text which is no JSON."""
_OWN_NAMES = ("name", "time")
"""Arguments that the published program has for itself: a call that names one raises."""


def arguments_of(given: object) -> dict[str, Any]:
    """The arguments of a call: the object, or what stands for a text that is none."""
    if isinstance(given, str):
        try:
            read = json.loads(given)
        except (ValueError, RecursionError):
            return {UNREADABLE: given}
        return read if isinstance(read, dict) else {UNREADABLE: given}
    return given if isinstance(given, dict) else {UNREADABLE: compact(given)}


def read_strictly(
    tools: Mapping[str, Tool[Any, Any]], name: object, arguments: object, language: Language
) -> Read:
    """A call whose every argument has the name, type, range and form that the tool tells.

    Raises:
        ToolFailure: of kind `arguments`.
    """
    _known_tool(tools, name)
    return read_by_schema(tools, name, arguments, language)


def read_leniently(
    tools: Mapping[str, Tool[Any, Any]], name: object, arguments: object, language: Language
) -> Read:
    """Any call of a tool; what its schema refuses is left out, or taken as text where the tool needs it.

    Raises:
        ToolFailure: of kind `arguments`: there is no such tool.
    """
    tool, given = _known_tool(tools, name), arguments_of(arguments)
    return Read(tool, given, _fit_arguments(tool, given))


def check(read: Read, given: Mapping[str, str]) -> None:
    """What the published program checks of a call of this tool; a call that passes is told the task's time.

    Raises:
        ToolFailure: of kind `arguments`, with the first thing that is wrong.
    """
    own = [name for name in _OWN_NAMES if name in read.arguments_given]
    if own:
        raise _raised_failure(f"{read.tool.name} got multiple values for argument '{own[0]}'")
    try:
        problem = CHECKS_BY_TOOL[read.tool.name].problem(read.arguments_given, given.get("time", ""))
    except (TypeError, ValueError, AttributeError, LookupError) as error:
        raise _raised_failure(str(error)) from error
    if problem == EMPTY_END:
        raise PlainFailure("arguments", Says(problem, problem))
    if problem:
        raise ToolFailure("arguments", Says(problem, problem))
    if isinstance(read.arguments, TimedArguments):
        read.arguments.at(given.get("time", ""))


def _known_tool(tools: Mapping[str, Tool[Any, Any]], name: object) -> Tool[Any, Any]:
    tool = tools.get(name) if isinstance(name, str) else None
    if tool is None:
        raise _raised_failure(f"Tool not found: {name}")
    return tool


def _raised_failure(what: str) -> PlainFailure:
    told = f"Error executing tool: {what}"
    return PlainFailure("arguments", Says(told, told))


def _fit_arguments(tool: Tool[Any, Any], given: Mapping[str, Any]) -> Arguments:
    fields = tool.arguments.model_fields
    try:
        fitting: Arguments = tool.arguments.model_validate(given)
        return fitting
    except ValidationError as error:
        unfit = {str(each["loc"][0]) for each in error.errors(include_url=False) if each["loc"]}
    kept = {name: value for name, value in given.items() if name in fields and name not in unfit}
    texts = {
        name: _as_text(given[name], listed=get_origin(fields[name].annotation) is list)
        for name in unfit
        if name in given and name in fields and fields[name].is_required()
    }
    made: Arguments = tool.arguments.model_construct(None, **kept, **texts)
    return made


def _as_text(value: Any, *, listed: bool) -> Any:
    """A text, or a list of texts."""
    if listed:
        return [_as_text(each, listed=False) for each in (value if isinstance(value, list) else [])]
    return value if isinstance(value, str) else compact(value)


# The key of a cached call.


def _pairs(call: Call) -> Mapping[str, Any]:
    return key_pairs(call.arguments, call.defaults.get("time", ""))


def key_pairs(arguments: Mapping[str, Any], time: str) -> dict[str, str]:
    """What a call's key is made of: its arguments as JSON text with sorted names, and the task's time."""
    return {"params": json.dumps(dict(arguments), ensure_ascii=False, sort_keys=True), "time": time}


def _call(tool: str, pairs: Mapping[str, Any]) -> Call:
    arguments = json.loads(pairs["params"])
    if not isinstance(arguments, dict):
        raise ValueError("params holds no object")
    return Call(tool, arguments, {"time": pairs["time"]})


def _embedding_text(call: Call) -> str:
    """ "name: value | name: value", by name; the task's time is no part of it (section 3.5)."""
    named = sorted(call.arguments.items())
    return " | ".join(f"{name}: {_as_text(value, listed=False)}" for name, value in named)


KEY = KeyForm(_pairs, _call, _embedding_text)
