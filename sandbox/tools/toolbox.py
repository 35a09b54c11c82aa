"""Calling tools on a world."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import ValidationError

from sandbox.tools.errors import BadArgument, Schema, argument_schemas, describe_invalid, printable
from sandbox.tools.language import Language, Says
from sandbox.tools.registry import TOOLS
from sandbox.tools.tool import Tool
from sandbox.worlds import World


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What a call gave: compact JSON, `{"error": …}` where `error` holds. `source` tells who answered."""

    result: str
    error: bool
    source: str = "world"
    latency_ms: float = 0.0


class CallError(Exception):
    """A call that can't be run; its text is for the agent."""


class Toolbox:
    """The ten tools over one world. Like the world's handle it belongs to one thread."""

    def __init__(self, world: World, language: Language = "zh") -> None:
        self._world, self._language = world, language

    def call(self, name: str, arguments: dict[str, Any] | str) -> ToolOutcome:
        """Run one call. Arguments may be the raw text that a model wrote.

        Whatever is wrong with the call comes back as an error; the same call gives the same bytes.
        """
        started = time.perf_counter()
        try:
            result, error = self._run(name, arguments), False
        except CallError as problem:
            result, error = {"error": str(problem)}, True
        text = json.dumps(result, ensure_ascii=False, separators=(",", ":"))
        return ToolOutcome(text, error, latency_ms=(time.perf_counter() - started) * 1000)

    def _run(self, name: object, arguments: object) -> dict[str, Any]:
        tool = TOOLS.get(name) if isinstance(name, str) else None
        if tool is None:
            known, given = ", ".join(TOOLS), printable(name)
            raise self._error(
                Says(f"未知工具 {given}；可用工具：{known}", f"Unknown tool {given}; allowed: {known}")
            )
        given_arguments = self._parsed(arguments)
        try:
            valid = tool.arguments.model_validate(given_arguments)
            result: dict[str, Any] = tool.run(valid, self._world, self._language).model_dump(mode="json")
        except ValidationError as error:
            raise CallError(describe_invalid(error, _argument_schemas(tool.name), self._language)) from error
        except BadArgument as error:
            raise CallError(error.describe(self._language)) from error
        return result

    def _parsed(self, arguments: object) -> dict[str, Any]:
        if isinstance(arguments, str):
            try:
                arguments = json.loads(arguments)
            except (ValueError, RecursionError) as error:
                problem = str(error)
                raise self._error(
                    Says(f"参数不是合法的 JSON：{problem}", f"The arguments are no valid JSON: {problem}")
                ) from error
        if not isinstance(arguments, dict):
            raise self._error(Says("参数应为 JSON 对象", "The arguments must be a JSON object"))
        return arguments

    def _error(self, says: Says) -> CallError:
        return CallError(says.to(self._language))


@cache
def _argument_schemas(name: str) -> dict[str, Schema]:
    tool: Tool[Any, Any] = TOOLS[name]
    return argument_schemas(tool.arguments.model_json_schema())
