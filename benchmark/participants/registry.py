"""The participants by name. Adding one is its file and a line here."""

from __future__ import annotations

from collections.abc import Callable

from benchmark.participants.agents import ReferenceAgent
from benchmark.participants.base import Participant
from benchmark.participants.users import ScriptedUser

AGENTS: dict[str, Callable[[], Participant]] = {"reference": ReferenceAgent}
USERS: dict[str, Callable[[], Participant]] = {"scripted": ScriptedUser}
