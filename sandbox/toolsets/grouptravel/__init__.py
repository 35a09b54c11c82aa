"""The ten tools: their definitions, and what each does with a world."""

from sandbox.toolsets.grouptravel.registry import TOOLS, definitions

__all__ = ["TOOLS", "definitions"]
