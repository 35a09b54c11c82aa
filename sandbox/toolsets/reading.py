"""From what a model wrote to a call that a tool can run."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pydantic import ValidationError

from sandbox.tools.errors import ToolFailure, argument_schemas, describe_invalid, printable
from sandbox.tools.language import Language, Says
from sandbox.tools.tool import Arguments, Tool


class Read(NamedTuple):
    """A call as it was read. given: its arguments as written. arguments: as the tool's function takes them."""

    tool: Tool[Any, Any]
    given: dict[str, Any]
    arguments: Arguments


Reading = Callable[[Mapping[str, Tool[Any, Any]], object, object, Language], Read]
"""Reads a name and arguments, an object or the raw text that a model wrote, as a call of one of the tools; raises
`ToolFailure` of kind `arguments`."""


def read_strictly(
    tools: Mapping[str, Tool[Any, Any]], name: object, arguments: object, language: Language
) -> Read:
    """A call whose every argument has the name, type and range that the tool tells.

    Raises:
        ToolFailure: of kind `arguments`; it says all that is wrong.
    """
    tool = tools.get(name) if isinstance(name, str) else None
    if tool is None:
        known, given = ", ".join(tools), printable(name)
        raise _wrong(Says(f"未知工具 {given}；可用工具：{known}", f"Unknown tool {given}; allowed: {known}"))
    given_arguments = _parsed(arguments)
    try:
        valid = tool.arguments.model_validate(given_arguments)
    except ValidationError as error:
        schemas = argument_schemas(tool.arguments.model_json_schema())
        says = describe_invalid(error, schemas, language)
        raise _wrong(Says(says, says)) from error
    return Read(tool, given_arguments, valid)


def _parsed(arguments: object) -> dict[str, Any]:
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError) as error:
            problem = str(error)
            raise _wrong(
                Says(f"参数不是合法的 JSON：{problem}", f"The arguments are no valid JSON: {problem}")
            ) from error
    if not isinstance(arguments, dict):
        raise _wrong(Says("参数应为 JSON 对象", "The arguments must be a JSON object"))
    return arguments


def _wrong(says: Says) -> ToolFailure:
    return ToolFailure("arguments", says)
