"""The parts of a tool: its arguments, its result and the function that computes one from the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, field_validator
from pydantic_core import PydanticCustomError

from sandbox.tools.errors import Schema, argument_schemas
from sandbox.tools.language import Language, Says
from sandbox.tools.results import Partial, compact
from sandbox.worlds import World


class Arguments(BaseModel):
    """Arguments of a call. Values are not converted, and unknown arguments are refused.

    An argument that may be null has the default None; `Says` in its annotation describes it.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)

    @field_validator("*")
    @classmethod
    def _is_text(cls, value: object) -> object:
        """Refuse lone surrogates: JSON can escape them, but they can be neither stored nor sent."""
        if isinstance(value, str) and any("\ud800" <= character <= "\udfff" for character in value):
            raise PydanticCustomError("not_text", "text in Unicode")
        return value


class Result(BaseModel):
    """What a tool returns. GroupTravelBench's have their JSON Schema committed under its schemas/."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    def as_text(self) -> str:
        """The text that the agent gets and caches store: compact JSON of all fields in their order, null if unknown.

        A benchmark whose published tools write another text overrides it in its toolset.
        """
        return compact(self.model_dump(mode="json"))


A = TypeVar("A", bound=Arguments)
R = TypeVar("R", bound=Result)


@dataclass(frozen=True, slots=True)
class Tool(Generic[A, R]):
    """A tool of the sandbox.

    run: computes the result from the arguments, the world and the language, and from nothing else, so that a replay
    gets the same; it raises `BadArgument` for a value that this world does not allow. partial: the class that reads a
    result which a model or a service wrote, and which may lack fields (see `read_partial`).
    """

    name: str
    description: Says
    arguments: type[A]
    result: type[R]
    run: Callable[[A, World, Language], R]
    partial: type[Partial] = Partial


AnyTool = Tool[Any, Any]


def definition(tool: Tool[Any, Any], language: Language) -> dict[str, Any]:
    """A tool in the OpenAI function format."""
    schema = tool.arguments.model_json_schema()
    properties = {
        name: _with_description(tool, name, _schema_for_model(argument, schema["properties"][name]), language)
        for name, argument in argument_schemas(schema).items()
    }
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description.to(language),
            "parameters": {
                "type": "object",
                "properties": properties,
                "required": schema.get("required", []),
                "additionalProperties": False,
            },
        },
    }


def _schema_for_model(argument: Schema, in_model: Schema) -> Schema:
    """The schema of an argument with the null that its class allows, for the model that calls the tool."""
    if {"type": "null"} not in in_model.get("anyOf", ()):
        return argument
    values = {"enum": [*argument["enum"], None]} if "enum" in argument else {}
    return argument | {"type": [argument["type"], "null"]} | values


def _with_description(tool: Tool[Any, Any], name: str, argument: Schema, language: Language) -> Schema:
    metadata = tool.arguments.model_fields[name].metadata
    says = next((each for each in metadata if isinstance(each, Says)), None)
    rest = {key: value for key, value in argument.items() if not (key == "default" and value is None)}
    return rest | ({"description": says.to(language)} if says else {})
