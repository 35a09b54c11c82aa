"""Errors that an agent can act on: which argument, what is wrong, what is allowed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Literal, cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from sandbox.tools.language import Language, Says
from sandbox.tools.results import compact

Schema = dict[str, Any]

_TYPES = {
    "string": Says("字符串", "a string"),
    "integer": Says("整数", "an integer"),
    "number": Says("数字", "a number"),
    "boolean": Says("布尔值", "a boolean"),
    "array": Says("数组", "an array"),
    "object": Says("对象", "an object"),
}
_FORMATS = {
    "date_format": Says("应为真实日期，格式 YYYY-MM-DD", "must be a real date as YYYY-MM-DD"),
    "clock_format": Says("应为时间，格式 HH:MM", "must be a time as HH:MM"),
    "not_text": Says("应为合法的 Unicode 文本", "must be text in Unicode"),
    "no_words": Says("不能为空，且须含文字或数字", "must have at least one letter or digit"),
}
_BOUNDS = (("minimum", "≥"), ("exclusiveMinimum", ">"), ("maximum", "≤"), ("exclusiveMaximum", "<"))


class BadArgument(Exception):
    """An argument that is well formed but that this world does not allow."""

    def __init__(self, argument: str, problem: Says) -> None:
        super().__init__(argument, problem)
        self.argument, self.problem = argument, problem

    def agent_message(self, language: Language) -> str:
        """What the agent gets in the place of a result."""
        return compact({"error": self.describe(language)})

    def describe(self, language: Language) -> str:
        """The message for the agent."""
        return Says(
            f"参数 {self.argument} 无效：{self.problem.zh}", f"Argument {self.argument}: {self.problem.en}"
        ).to(language)


FailureKind = Literal["arguments", "answer", "unanswered", "simulator", "schema", "timeout", "backend"]
"""Why a call ended in an error.

arguments: the call is wrong. answer: the stored or live answer is itself an error. unanswered: the cache has nothing
from which an answer could be made. simulator: the simulator failed or can't be reached. schema: it answered, but not
with a result of the tool. timeout: the simulator or the backend took too long. backend: the live service failed.
"""


class ToolFailure(Exception):
    """A correct call that could not be answered."""

    def __init__(self, kind: FailureKind, problem: Says) -> None:
        super().__init__(kind, problem)
        self.kind, self.problem = kind, problem

    def describe(self, language: Language) -> str:
        """The message for the agent."""
        return self.problem.to(language)

    def agent_message(self, language: Language) -> str:
        """What the agent gets in the place of a result."""
        return compact({"error": self.describe(language)})


class PlainFailure(ToolFailure):
    """A failure that the agent gets as a bare sentence and not as JSON, as a published program has it."""

    def agent_message(self, language: Language) -> str:
        """The sentence."""
        return self.describe(language)


def describe_invalid(error: ValidationError, properties: dict[str, Schema], language: Language) -> str:
    """All that is wrong with a call's arguments; `properties` are the JSON Schemas of those that exist."""
    lines = dict.fromkeys(
        _describe(each, properties).to(language) for each in error.errors(include_url=False)
    )
    return Says("；", "; ").to(language).join(lines)


def _describe(error: ErrorDetails, properties: dict[str, Schema]) -> Says:
    name = printable(error["loc"][0]).strip('"') if error["loc"] else ""
    schema = properties.get(name)
    if error["type"] == "missing":
        return Says(f"缺少必填参数 {name}", f"Argument {name} is required")
    if schema is None:
        known = ", ".join(properties)
        return Says(f"未知参数 {name}；可用参数：{known}", f"Unknown argument {name}; allowed: {known}")
    given, wanted = _quoted_value(error["input"]), _FORMATS.get(error["type"]) or _requirement(schema)
    return Says(
        f"参数 {name} 无效：{wanted.zh}，实际为{given.zh}",
        f"Argument {name}: {wanted.en}, but it is {given.en}",
    )


def _requirement(schema: Schema) -> Says:
    """What a JSON Schema allows, in words."""
    if "enum" in schema:
        values = "、".join(map(str, schema["enum"]))
        return Says(f"可选值为 {values}", f"must be one of {', '.join(map(str, schema['enum']))}")
    word = _TYPES.get(schema.get("type", ""), Says("合法的值", "a valid value"))
    bounds = ", ".join(f"{sign} {schema[key]}" for key, sign in _BOUNDS if key in schema)
    return Says(
        f"应为{word.zh}" + (f"，范围 {bounds}" if bounds else ""),
        f"must be {word.en}" + (f" {bounds}" if bounds else ""),
    )


def _quoted_value(value: Any) -> Says:
    """A value as it is quoted; that it is nested, where it is."""
    if isinstance(value, (dict, list, tuple, set)):
        return _TYPES["object" if isinstance(value, dict) else "array"]
    return Says(f" {printable(value)}", printable(value))


def printable(value: Any) -> str:
    """A value as JSON, cut short; its type where it is nested or no JSON."""
    if isinstance(value, (dict, list, tuple, set)):
        return type(value).__name__
    if isinstance(value, str):
        value = value[:60].encode("utf-8", "replace").decode()
    try:
        return json.dumps(value, ensure_ascii=False)[:64]
    except (TypeError, ValueError):
        return type(value).__name__


def argument_schemas(model_schema: Schema) -> dict[str, Schema]:
    """The properties of a model's JSON Schema, each without its title and the null that an optional one allows."""
    properties = cast("dict[str, Schema]", model_schema.get("properties", {}))
    return {name: _plain(schema) for name, schema in properties.items()}


def _plain(schema: Schema) -> Schema:
    choices: Iterable[Schema] = schema.get("anyOf", ())
    merged = dict(schema)
    for choice in choices:
        if choice.get("type") != "null":
            merged |= choice
    return {key: value for key, value in merged.items() if key not in ("anyOf", "title")}
