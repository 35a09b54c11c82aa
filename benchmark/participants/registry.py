"""The participants by name. Adding one is its file and a line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmark.models import Model
from benchmark.participants.agents import ReferenceAgent
from benchmark.participants.base import Participant
from benchmark.participants.users import ScriptedUser


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A participant that needs no model."""

    make: Callable[[], Participant]


@dataclass(frozen=True, slots=True)
class OverModel:
    """A participant that speaks through a model. prompts: the version of its prompts in a language."""

    make: Callable[[Model], Participant]
    prompts: Callable[[str], str]


Kind = BuiltIn | OverModel

AGENTS: dict[str, Kind] = {"reference": BuiltIn(ReferenceAgent)}
USERS: dict[str, Kind] = {"scripted": BuiltIn(ScriptedUser)}
