"""Real results of the tiny world as cached calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sandbox.calls import Call, Example
from sandbox.toolbox import world_tools
from sandbox.worlds import World

MakeExample = Callable[..., Example]


@pytest.fixture
def example_of(tiny_world: World) -> MakeExample:
    """What the tiny world answers to a call, as a cached call."""
    tools = world_tools(tiny_world)

    def example(tool: str, similarity: float = 0.9, **arguments: Any) -> Example:
        outcome = tools.call(tool, arguments)
        return Example(Call(tool, arguments), outcome.result, similarity)

    return example
