"""The tools of a session, in one of three modes: world, isolated, online."""

from sandbox.toolbox.outcome import Mode, SandboxSetup, ToolOutcome
from sandbox.toolbox.toolbox import Toolbox
from sandbox.toolbox.world import world_tools

__all__ = ["Mode", "SandboxSetup", "ToolOutcome", "Toolbox", "world_tools"]
