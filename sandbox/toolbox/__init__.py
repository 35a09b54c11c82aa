"""The tools of a session, in one of three modes: world, isolated, online."""

from sandbox.toolbox.outcome import Mode, Source, ToolOutcome
from sandbox.toolbox.setup import SandboxSetup
from sandbox.toolbox.toolbox import Toolbox
from sandbox.toolbox.world import world_tools

__all__ = ["Mode", "SandboxSetup", "Source", "ToolOutcome", "Toolbox", "world_tools"]
