"""The user that needs no model."""

from benchmark.suites.travelbench.travellers.scripted.scripted import ScriptedUser

__all__ = ["ScriptedUser"]
