"""The one tool: the number after a number."""

from __future__ import annotations

from typing import Annotated

from sandbox.tools.language import Language, Says
from sandbox.tools.tool import Arguments, Result, Tool
from sandbox.toolsets.base import Toolset
from sandbox.worlds import World


class After(Arguments):
    after: Annotated[int, Says("一个数", "A number")]


class Number(Result):
    number: int


def _next(arguments: After, world: World, language: Language) -> Number:
    return Number(number=arguments.after + 1)


NEXT = Tool("next_number", Says("下一个数", "The number after a number"), After, Number, _next)
COUNTING = Toolset(name="counting", tools={NEXT.name: NEXT}, coordinates="lon,lat", language="en")
