"""The user that needs no model."""

from benchmark.suites.travelbench.travellers.scripted.user import ScriptedUser

__all__ = ["ScriptedUser"]
