"""Travellers: scripted here, other kinds beside."""

from benchmark.suites.grouptravel.travellers.scripted.traveller import ScriptedUser

__all__ = ["ScriptedUser"]
