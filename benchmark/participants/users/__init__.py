"""Travellers: scripted here, other kinds beside."""

from benchmark.participants.users.scripted import ScriptedUser

__all__ = ["ScriptedUser"]
