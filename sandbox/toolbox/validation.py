"""From what a model wrote to a call that a tool can run."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import ValidationError

from sandbox.calls import Call
from sandbox.tools.errors import Schema, ToolFailure, argument_schemas, describe_invalid, printable
from sandbox.tools.language import Language, Says
from sandbox.tools.tool import Arguments, Tool
from sandbox.toolsets.grouptravel.registry import TOOLS


@dataclass(frozen=True, slots=True)
class ValidCall:
    """A call, its tool, and its arguments as the tool's function takes them."""

    call: Call
    tool: Tool[Any, Any]
    arguments: Arguments


def validated(name: object, arguments: object, language: Language) -> ValidCall:
    """The call of that name with those arguments, an object or the raw text that a model wrote.

    Raises:
        ToolFailure: of kind `arguments`; it says all that is wrong.
    """
    tool = TOOLS.get(name) if isinstance(name, str) else None
    if tool is None:
        known, given = ", ".join(TOOLS), printable(name)
        raise _wrong(Says(f"未知工具 {given}；可用工具：{known}", f"Unknown tool {given}; allowed: {known}"))
    given_arguments = _parsed(arguments)
    try:
        valid = tool.arguments.model_validate(given_arguments)
    except ValidationError as error:
        says = describe_invalid(error, _argument_schemas(tool.name), language)
        raise _wrong(Says(says, says)) from error
    return ValidCall(Call(tool.name, given_arguments), tool, valid)


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


@cache
def _argument_schemas(name: str) -> dict[str, Schema]:
    return argument_schemas(TOOLS[name].arguments.model_json_schema())
