"""From the OpenAPI file to what a page shows of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Property:
    """A parameter of a request, or a field of a body or an answer. words: what it is; kind: in a word or two."""

    name: str
    kind: str
    words: str
    required: bool = False


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation. takes: the fields of its body; gives: those of its answer, of an item where it is a list."""

    method: str
    path: str
    name: str
    words: str
    scope: str
    parameters: list[Property]
    takes: list[Property]
    gives: list[Property]


def groups_of(document: Mapping[str, Any]) -> dict[str, list[Operation]]:
    """The operations by the first part of their path."""
    groups: dict[str, list[Operation]] = {}
    for path, methods in document["paths"].items():
        group = path.removeprefix("/api/v1/").split("/")[0]
        for method, told in methods.items():
            groups.setdefault(group, []).append(_operation(document, path, method, told))
    return groups


def _operation(document: Mapping[str, Any], path: str, method: str, told: Mapping[str, Any]) -> Operation:
    body = told.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    answers = next(response for status, response in told["responses"].items() if int(status) < 300)
    return Operation(
        method=method.upper(),
        path=path,
        name=told["operationId"],
        words=told["description"].partition("\n\nNeeds the scope")[0],
        scope=told["x-scope"],
        parameters=[
            Property(
                each["name"],
                _kind(each["schema"]),
                each.get("description", ""),
                each.get("required", False),
            )
            for each in told["parameters"]
        ],
        takes=_properties(document, body),
        gives=_properties(document, _item(document, answers["content"]["application/json"]["schema"])),
    )


def _resolve(document: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    found: Mapping[str, Any] = document["components"]["schemas"][name] if name else schema
    return found


def _item(document: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Of a list, its items."""
    items = _resolve(document, schema).get("properties", {}).get("items")
    return items["items"] if items else schema


def _properties(document: Mapping[str, Any], schema: Mapping[str, Any]) -> list[Property]:
    found = _resolve(document, schema)
    required = found.get("required", ())
    return [
        Property(name, _kind(each), each.get("description", ""), name in required)
        for name, each in found.get("properties", {}).items()
    ]


def _kind(schema: Mapping[str, Any]) -> str:
    """The type, in words of JSON."""
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(map(_kind, schema["anyOf"])))
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        known = list(map(str, schema["enum"]))
        return " | ".join(known) if len(known) < 8 else "string"
    if schema.get("type") == "array":
        return f"[{_kind(schema.get('items', {}))}]"
    return str(schema.get("format") or schema.get("type") or "any")
