"""Who writes preference tables and openings: the built-in sampler, or a model (`by_model`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from benchmark.suites.grouptravel.synthesis.archetypes import Member
from benchmark.suites.grouptravel.synthesis.openings import opening, persona_of
from benchmark.suites.grouptravel.synthesis.resources import Trip
from benchmark.suites.grouptravel.synthesis.sampler import draw_table
from benchmark.suites.grouptravel.synthesis.validation import Fault


class Writer(Protocol):
    """Writes one member's part of a task.

    key: the seed and the numbers of the attempts. faults: of the table before, by the same key but for its last
    number.
    """

    def table(
        self,
        trip: Trip,
        member: Member,
        tables: Mapping[str, Any],
        faults: Sequence[Fault],
        language: str,
        *key: object,
    ) -> Any:
        """The preference table; anything may be wrong with it. tables: of the members before."""
        ...

    def opening(
        self,
        trip: Trip,
        user: str,
        table: Mapping[str, Any],
        language: str,
        *key: object,
        earlier: Sequence[str] = (),
    ) -> str:
        """The opening message. earlier: those of the members before, as they are read."""
        ...


class Sampler:
    """The built-in writer: the same key gives the same words."""

    def table(
        self,
        trip: Trip,
        member: Member,
        tables: Mapping[str, Any],
        faults: Sequence[Fault],
        language: str,
        *key: object,
    ) -> Any:
        """Drawn from the profile."""
        return draw_table(trip, member, tables, *key)

    def opening(
        self,
        trip: Trip,
        user: str,
        table: Mapping[str, Any],
        language: str,
        *key: object,
        earlier: Sequence[str] = (),
    ) -> str:
        """From templates, with reasons that the profile supports."""
        persona = persona_of(trip.cast[user], trip.archetype.tags_zh)
        return opening(
            user, table, language, *key, trip.skeleton.slot, user, earlier=earlier, persona=persona
        )
