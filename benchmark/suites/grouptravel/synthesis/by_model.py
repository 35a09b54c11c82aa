"""Preference tables and openings by a language model: the same candidates, the same checks (appendix D.1)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from json_repair import repair_json

from benchmark.models import ChatRequest
from benchmark.suites.grouptravel.preferences import (
    CITY_FIELDS,
    CITY_ROOT,
    FIELD,
    GLOBAL_ROOT,
    TRANSPORT_MODES,
    filled_fields,
    read,
    table_of,
)
from benchmark.suites.grouptravel.synthesis.archetypes import Member
from benchmark.suites.grouptravel.synthesis.openings import WORDS, check_opening
from benchmark.suites.grouptravel.synthesis.rates import INHERITED_FIELDS
from benchmark.suites.grouptravel.synthesis.resources import Trip
from benchmark.suites.grouptravel.synthesis.sentences import duration
from benchmark.suites.grouptravel.synthesis.validation import FAULT_WORDS, Fault
from benchmark.suites.grouptravel.synthesis.writers import Sampler
from benchmark.synthesis import Ask
from sandbox.worlds.records import HOTEL_CLASSES

_TEMPERATURE = 0.9
_LONGEST_ANSWER = 60_000
_OPENING = "opening"
_FAULT_KEYS = {text: key for key, text in FAULT_WORDS.items()}


class ModelWriter:
    """Asks a model for each table with its opening. Belongs to one thread; remembers the openings of one task."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._openings: dict[str, str] = {}

    def table(
        self,
        trip: Trip,
        member: Member,
        tables: Mapping[str, Any],
        faults: Sequence[Fault],
        language: str,
        *key: object,
    ) -> Any:
        """What the model answers, with what the member takes over put in. Raises ModelFailure."""
        source = tables[member.reference] if member.reference else None
        said = self._answer(trip, member, source, faults, language)
        self._openings[member.slot] = str(said.pop(_OPENING, "")) if isinstance(said, dict) else ""
        return _with_inherited(said, member, source, trip) if source is not None else said

    def opening(
        self,
        trip: Trip,
        user: str,
        table: Mapping[str, Any],
        language: str,
        *key: object,
        earlier: Sequence[str] = (),
    ) -> str:
        """The model's words where they keep the rules, else the built-in ones."""
        said = " ".join(self._openings.pop(user, "").split())
        if check_opening(user, said, table):
            return Sampler().opening(trip, user, table, language, *key, earlier=earlier)
        return said

    def _answer(self, trip: Trip, member: Member, source: Any, faults: Sequence[Fault], language: str) -> Any:
        said = [{"role": "user", "content": _request(trip, member, source, language)}]
        if faults:
            listed = "\n".join(_fault_line(language, fault) for fault in faults)
            said[0]["content"] += "\n\n" + _part(language, "again", faults=listed)
        opens = WORDS.line(language, "parts", "opens") if member.slot == "User1" else ""
        system = {"role": "system", "content": WORDS.fill(language, "system", budget=opens)}
        reply = self._ask(ChatRequest((system, *said), temperature=_TEMPERATURE, json_object=True))
        return _read(reply.text)


def _read(text: str) -> Any:
    """The first JSON object of an answer, mended where it is broken; None where there is none."""
    begin = text.find("{")
    if begin < 0 or len(text) > _LONGEST_ANSWER:
        return None
    try:
        return json.loads(text[begin : text.rfind("}") + 1])
    except ValueError:
        mended = repair_json(text[begin:], return_objects=True)
        return mended if isinstance(mended, dict) else None


def _with_inherited(said: Any, member: Member, source: Mapping[str, Any], trip: Trip) -> Any:
    """The answer's own fields in a table whose other fields are the source's, word for word."""
    own = said if isinstance(said, dict) else {}
    minor = member.generation == "copy_minor"

    def value(field: Any, city: str) -> Any:
        if minor and field.keys[-1] in INHERITED_FIELDS:
            return deepcopy(read(source, field, city))
        return read(own, field, city)

    table = table_of(trip.skeleton.cities, value)
    return {GLOBAL_ROOT: deepcopy(source[GLOBAL_ROOT]), CITY_ROOT: table[CITY_ROOT]}


# What the model is told.


def _request(trip: Trip, member: Member, source: Any, language: str) -> str:
    skeleton, archetype = trip.skeleton, trip.archetype
    joint = ", " if language == "en" else "、"
    return WORDS.fill(
        language,
        "task",
        role=member.role(language),
        user=member.slot,
        profile=trip.cast[member.slot].summary(language),
        group=archetype.name(language),
        size=archetype.size,
        dynamics=archetype.dynamics(language),
        departure=skeleton.departure,
        cities=joint.join(skeleton.cities),
        duration=duration(skeleton.days, language),
        start=skeleton.start.isoformat(),
        least=f"{-(-int(trip.least_cost()) // 100) * 100}",
        fares="\n".join(_fares(trip, language)),
        candidates="\n".join(_candidates(trip, language)),
        hotels=joint.join(HOTEL_CLASSES),
        inherited=_inherited_part(member, source, language),
        shape=json.dumps(_shape(member, trip), ensure_ascii=False),
    )


def _fault_line(language: str, fault: Fault) -> str:
    """A fault as the model is told of it. The words are English in both languages, as they have always been."""
    message = WORDS.line(language, "faults", _FAULT_KEYS[fault.message.text], **fault.message.values)
    frame = "fault_at" if fault.path else "fault"
    return WORDS.line(language, "faults", frame, user=fault.user, path=fault.path, message=message)


def _part(language: str, key: str, **fields: object) -> str:
    return WORDS.line(language, "parts", key, **fields).replace("\\n", "\n")


def _fares(trip: Trip, language: str) -> list[str]:
    none = _part(language, "none")
    fares = []
    for (origin, destination), offers in zip(trip.route.legs, trip.route.offers, strict=True):
        modes = [
            f"{mode} {offers[mode].price:.0f}" if mode in offers else f"{mode} {none}"
            for mode in TRANSPORT_MODES
        ]
        told = ", ".join(modes)
        fares.append(_part(language, "leg", origin=origin, destination=destination, modes=told))
    return fares


def _candidates(trip: Trip, language: str) -> list[str]:
    return [
        _part(
            language,
            "city",
            city=city,
            sights="; ".join(f"{sight.name} ({sight.tag})" for sight in candidates.sights),
            categories="; ".join(candidates.attractions),
            foods="; ".join(candidates.foods),
        )
        for city, candidates in trip.candidates.items()
    ]


def _inherited_part(member: Member, source: Any, language: str) -> str:
    if source is None:
        return _part(language, "alone")
    held = {GLOBAL_ROOT: source[GLOBAL_ROOT]}
    if member.generation == "copy_minor":
        held[CITY_ROOT] = {
            city: {
                field.keys[-1]: read(source, field, city)
                for field in CITY_FIELDS
                if field.keys[-1] in INHERITED_FIELDS
            }
            for city in source[CITY_ROOT]
        }
    had = [
        item
        for field, _, value in filled_fields(source)
        if field in (FIELD["attractions.must_visit"], FIELD["food.must_eat"])
        for item in value
    ]
    told = json.dumps(held, ensure_ascii=False)
    return _part(language, "inherited", reference=member.reference, held=told, had=", ".join(had))


def _shape(member: Member, trip: Trip) -> dict[str, Any]:
    """An empty answer: the fields that the member fills, and the opening."""

    def value(field: Any, city: str) -> Any:
        if member.generation == "copy_minor" and field.keys[-1] in INHERITED_FIELDS:
            return None
        return 0 if field.kind == "scalar" else []

    shape: dict[str, Any] = table_of(trip.skeleton.cities, value)
    if member.reference is not None:
        del shape[GLOBAL_ROOT]
    return {**shape, _OPENING: ""}
