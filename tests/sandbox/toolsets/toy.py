"""A small toolset: its `web_search` takes other arguments, and its keys hold the task's time."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import ValidationError

from sandbox.calls import Call
from sandbox.tools.errors import ToolFailure
from sandbox.tools.language import Language, Says
from sandbox.tools.tool import Arguments, Result, Tool
from sandbox.toolsets.base import KeyForm, Question, Read, Toolset, read_strictly
from sandbox.worlds import World


class ToyQuestion(Arguments):
    question: Annotated[str, Says("问题", "What to ask the toy")]
    depth: Annotated[Literal["quick", "deep"], Says("深度", "How deep")] = "quick"


class ToyNeighbourhood(Arguments):
    location: Annotated[str, Says("“纬度,经度”", '"lat,lon"')]


class ToyAnswer(Result):
    answer: str


def _tell(arguments: Arguments, world: World, language: Language) -> ToyAnswer:
    return ToyAnswer(answer=f"{language}: {arguments.model_dump_json()}")


TOOLS: dict[str, Tool[Any, Any]] = {
    "web_search": Tool("web_search", Says("玩具搜索", "The toy's search"), ToyQuestion, ToyAnswer, _tell),
    "around": Tool("around", Says("附近", "What is around"), ToyNeighbourhood, ToyAnswer, _tell),
}


def _pairs(call: Call) -> Mapping[str, Any]:
    arguments = json.dumps(dict(call.arguments), ensure_ascii=False, sort_keys=True)
    return {"params": arguments, "time": call.defaults.get("time", "")}


def _call(tool: str, pairs: Mapping[str, Any]) -> Call:
    return Call(tool, json.loads(pairs["params"]), {"time": pairs["time"]})


def _nearest(question: Question) -> str:
    return json.dumps({"answer": question.examples[0].result})


def read_leniently(
    tools: Mapping[str, Tool[Any, Any]], name: object, arguments: object, language: Language
) -> Read:
    """As strictly, but any depth passes, as the toy's published program lets it."""
    try:
        return read_strictly(tools, name, arguments, language)
    except ToolFailure as failure:
        if not (isinstance(failure.__cause__, ValidationError) and isinstance(arguments, dict)):
            raise
        plain = read_strictly(tools, name, arguments | {"depth": "quick"}, language)
        return plain._replace(arguments_given=arguments)


TOY = Toolset(
    name="toy",
    tools=TOOLS,
    coordinates="lat,lon",
    language="en",
    places=frozenset({"location"}),
    readings={"strict": read_strictly, "lenient": read_leniently},
    key=KeyForm(_pairs, _call),
    nearest={"web_search": _nearest},
)
