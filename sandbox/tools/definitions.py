"""A tool as models see it."""

from __future__ import annotations

from typing import Any

from sandbox.tools.errors import Schema, argument_schemas
from sandbox.tools.language import Language, Says
from sandbox.tools.tool import Tool


def definition(tool: Tool[Any, Any], language: Language) -> dict[str, Any]:
    """A tool in the OpenAI function format."""
    schema = tool.arguments.model_json_schema()
    properties = {
        name: _described(tool, name, _shown(argument, schema["properties"][name]), language)
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


def _shown(argument: Schema, in_model: Schema) -> Schema:
    """An argument with the null that its model allows, as a model has to see it."""
    if {"type": "null"} not in in_model.get("anyOf", ()):
        return argument
    values = {"enum": [*argument["enum"], None]} if "enum" in argument else {}
    return argument | {"type": [argument["type"], "null"]} | values


def _described(tool: Tool[Any, Any], name: str, argument: Schema, language: Language) -> Schema:
    metadata = tool.arguments.model_fields[name].metadata
    says = next((each for each in metadata if isinstance(each, Says)), None)
    rest = {key: value for key, value in argument.items() if not (key == "default" and value is None)}
    return rest | ({"description": says.to(language)} if says else {})
