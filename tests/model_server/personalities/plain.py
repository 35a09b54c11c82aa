"""Requests that are no part of a session, such as a test of the endpoint: calls with made-up arguments, or JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from tests.model_server.personalities.forms import in_form
from tests.model_server.scene import Scene
from tests.model_server.wire import Answer, Call

Schema = Mapping[str, Any]
_NAMES = re.compile(r"(?<![.?!] )(?<!^)\b[A-Z][a-z]+\b|[\u4e00-\u9fff]{2,8}?市|[\"“「]([^\"”」]+)[\"”」]")


def plain(scene: Scene) -> Answer:
    """Calls the tools that are offered, fills a schema, or says a word."""
    asked = scene.request
    if scene.may_call and scene.functions and not scene.results:
        return in_form(scene, Answer("", _calls(scene)))
    if asked.response_format.get("type") in ("json_object", "json_schema"):
        schema = (asked.response_format.get("json_schema") or {}).get("schema") or _OK
        return Answer(json.dumps(sample(schema, "ok"), ensure_ascii=False))
    return Answer("Okay." if scene.english else "好的。")


_OK: Schema = {"type": "object", "properties": {"ok": {"type": "boolean"}}}


def _calls(scene: Scene) -> tuple[Call, ...]:
    """One call a tool; of a single tool one for each thing that the request names."""
    named = list(dict.fromkeys(found[1] or found[0] for found in _NAMES.finditer(scene.request.last)))
    if len(scene.functions) == 1:
        return tuple(_call(scene.functions[0], name) for name in named[:4] or ["ok"])
    return tuple(_call(function, (named or ["ok"])[0]) for function in scene.functions)


def _call(function: Schema, word: str) -> Call:
    arguments = sample(function.get("parameters") or {}, word)
    return Call(function["name"], json.dumps(arguments, ensure_ascii=False))


def sample(schema: Schema, word: str) -> Any:
    """A value that fits a schema, with `word` wherever a free text is wanted."""
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type", "object")
    match kind[0] if isinstance(kind, list) else kind:
        case "string":
            return word
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return True
        case "array":
            return [sample(schema.get("items") or {"type": "string"}, word)]
        case "null":
            return None
    wanted = schema.get("required") or schema.get("properties") or {}
    return {name: sample((schema.get("properties") or {}).get(name, {}), word) for name in wanted}
