"""The ten tools: their definitions, and calling them on a world."""

from sandbox.tools.registry import TOOLS, definitions
from sandbox.tools.toolbox import Toolbox, ToolOutcome

__all__ = ["TOOLS", "ToolOutcome", "Toolbox", "definitions"]
