"""The ten tools: their definitions, and what each does with a world."""

from sandbox.tools.registry import TOOLS, definitions

__all__ = ["TOOLS", "definitions"]
