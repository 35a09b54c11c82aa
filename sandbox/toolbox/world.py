"""`world`: every answer is computed from a pack."""

from __future__ import annotations

from sandbox.backends import Backend, WorldBackend
from sandbox.toolbox.outcome import Answer, Mode
from sandbox.toolbox.toolbox import Toolbox
from sandbox.tools.language import Language
from sandbox.toolsets import toolset_named
from sandbox.toolsets.base import DEFAULT_TOOLSET, Toolset, ValidCall
from sandbox.worlds import World


class WorldAnswers:
    """Answers of one world: the same call gives the same bytes."""

    mode: Mode = "world"
    asks_model = False

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    def answer(self, valid: ValidCall, language: Language) -> Answer:
        """What the world says."""
        result = self._backend.answer(valid.tool, valid.arguments, language)
        return Answer(result.as_text(), "world")


def world_tools(world: World, language: Language = "zh", toolset: Toolset | None = None) -> Toolbox:
    """A toolset over one world: GroupTravelBench's where none is named."""
    tools = toolset or toolset_named(DEFAULT_TOOLSET)
    return Toolbox(WorldAnswers(WorldBackend(world, tools)), language, toolset=tools)
