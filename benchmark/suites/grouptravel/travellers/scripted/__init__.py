"""Travellers: scripted here, other kinds beside."""

from benchmark.suites.grouptravel.travellers.scripted.scripted import ScriptedUser

__all__ = ["ScriptedUser"]
