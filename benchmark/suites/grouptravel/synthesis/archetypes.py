"""The 22 kinds of groups (GroupTravelBench, appendix A.2, table 5)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import chain, combinations
from pathlib import Path
from typing import Any, Literal

import orjson
from pydantic import BaseModel, ConfigDict

from benchmark.suites.grouptravel.synthesis.draws import dice

Strategy = Literal["independent", "copy_minor", "copy_moderate", "skip"]
DATA = Path(__file__).parent / "data"


class WantedProfile(BaseModel):
    """Whose profile fits a role.

    age: both ends included. sex: `same for all` of the group, or `any`. occupations: one of these, where the pool has
    somebody.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    sex: Literal["male", "female", "any", "same for all"]
    age: tuple[int, int]
    married: bool | None = None
    children: bool | None = None
    occupations: tuple[str, ...] = ()


class Member(BaseModel):
    """A seat of an archetype. reference: whose table is copied, None for a table of one's own or none."""

    model_config = ConfigDict(frozen=True)
    slot: str
    role_zh: str
    role_en: str
    profile: WantedProfile | None
    generation: Strategy
    reference: str | None

    def role(self, language: str) -> str:
        """The role as a task writes it."""
        return self.role_en if language == "en" else self.role_zh


class Archetype(BaseModel):
    """A kind of group. tasks: how many of the published 650. yield_units: who gives way together."""

    model_config = ConfigDict(frozen=True, ignored_types=(cached_property,))
    group_id: str
    size: int
    name_zh: str
    name_en: str
    tags_zh: tuple[str, ...]
    tags_en: tuple[str, ...]
    tasks: int
    members: tuple[Member, ...]
    generation_order: tuple[str, ...]
    yield_units: tuple[tuple[str, ...], ...]
    dynamics_zh: str
    dynamics_en: str

    @cached_property
    def by_slot(self) -> Mapping[str, Member]:
        """Members by their names in the chat."""
        return {member.slot: member for member in self.members}

    @cached_property
    def children(self) -> tuple[Member, ...]:
        """Those who come along without a table."""
        return tuple(member for member in self.members if member.generation == "skip")

    @cached_property
    def patterns(self) -> tuple[tuple[str, ...], ...]:
        """All compromise patterns: the non-empty unions of the yield units, each in seat order."""
        units = self.yield_units
        unions = chain.from_iterable(combinations(units, count) for count in range(1, len(units) + 1))
        seats = [member.slot for member in self.members]
        return tuple(tuple(sorted(chain(*union), key=seats.index)) for union in unions)

    def couples(self) -> list[tuple[str, str]]:
        """Partners: whoever copies a table word for word copies that of the partner."""
        return [
            (member.reference, member.slot)
            for member in self.members
            if member.generation == "copy_minor" and member.reference
        ]

    def name(self, language: str) -> str:
        """The archetype's name."""
        return self.name_en if language == "en" else self.name_zh

    def tags(self, language: str) -> list[str]:
        """Its social tags."""
        return list(self.tags_en if language == "en" else self.tags_zh)

    def dynamics(self, language: str) -> str:
        """How such a group decides."""
        return self.dynamics_en if language == "en" else self.dynamics_zh


def _load() -> dict[str, Archetype]:
    data: dict[str, Any] = orjson.loads((DATA / "archetypes.json").read_bytes())
    archetypes = (Archetype.model_validate(entry) for entry in data["archetypes"])
    return {archetype.group_id: archetype for archetype in archetypes}


ARCHETYPES = _load()
"""By id, in the order of Table 5's file."""


def draw_pattern(archetype: Archetype, *key: object) -> tuple[str, ...]:
    """One of the archetype's compromise patterns, each equally likely."""
    return dice(*key).choice(archetype.patterns)
