"""What form an answer must have, learned from real answers to similar calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from sandbox.tools.errors import printable
from sandbox.tools.language import Says
from sandbox.tools.results import compact, is_error, read_json
from sandbox.tools.tool import Result

JsonType = Literal["object", "array", "string", "number", "boolean", "null"]

_TYPES: dict[type, JsonType] = {
    dict: "object",
    list: "array",
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
}
_ZH: dict[JsonType, str] = {
    "object": "对象",
    "array": "数组",
    "string": "字符串",
    "number": "数字",
    "boolean": "布尔值",
    "null": "null",
}
_WRONG = {"missing": Says("缺失", "is missing"), "extra_forbidden": Says("是多余的字段", "is unknown")}
_PATH_SHOWN = 80


class WrongForm(Exception):
    """An answer unlike what the tool returns. problem: names the first field that is wrong, where it is one."""

    def __init__(self, problem: Says) -> None:
        super().__init__(problem.en)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Form:
    """result: the model that an answer must follow, None for any. json_type: what it must be, None for any text.

    An error object is always right where JSON is.
    """

    result: type[Result] | None
    json_type: JsonType | None

    def read(self, answer: str) -> str:
        """The answer as it is handed on: compact where it follows a model, else as it is.

        Raises:
            WrongForm: it has another form.
        """
        if self.json_type is None:
            return answer
        value = _json(answer)
        if is_error(value):
            return compact(value)
        if self.result is not None:
            return _following(self.result, value)
        if _TYPES[type(value)] != self.json_type:
            raise WrongForm(Says(f"应为 JSON {_ZH[self.json_type]}", f"it must be a JSON {self.json_type}"))
        return answer


def form_of(result: type[Result], texts: Sequence[str]) -> Form:
    """The form that all these results share; errors among them count only where there is nothing else.

    `result` is asked for where all follow it: published caches hold opaque texts of other shapes.
    """
    try:
        values = [read_json(text) for text in texts]
    except ValueError:
        return Form(None, None)
    answers = [value for value in values if not is_error(value)]
    types = {_TYPES[type(value)] for value in answers or values}
    follows = bool(answers) and all(_follows(result, value) for value in answers)
    return Form(result if follows else None, types.pop() if len(types) == 1 else None)


def _json(answer: str) -> Any:
    try:
        return read_json(answer)
    except ValueError as error:
        raise WrongForm(Says("不是合法的 JSON", "it is no valid JSON")) from error


def _follows(result: type[Result], value: object) -> bool:
    try:
        result.model_validate(value)
    except ValidationError:
        return False
    return True


def _following(result: type[Result], value: object) -> str:
    try:
        return compact(result.model_validate(value).model_dump(mode="json"))
    except ValidationError as error:
        raise WrongForm(_first(error.errors(include_url=False)[0])) from error


def _first(error: ErrorDetails) -> Says:
    field = ".".join(map(str, error["loc"]))[:_PATH_SHOWN]
    if not field:
        return Says("应为 JSON 对象", "it must be a JSON object")
    given = printable(error["input"])
    wrong = _WRONG.get(error["type"], Says(f"类型或取值不对：{given}", f"has a wrong type or value: {given}"))
    return Says(f"字段 {field} {wrong.zh}", f"field {field} {wrong.en}")
