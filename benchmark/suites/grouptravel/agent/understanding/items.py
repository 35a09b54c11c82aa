"""Names on their way to findings: which cues are theirs, and what tone they take from their neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from benchmark.suites.grouptravel.agent.lexicon.model import Subject
from benchmark.suites.grouptravel.agent.understanding.kinds import Kind
from benchmark.suites.grouptravel.agent.understanding.tone import Mark, Tone
from benchmark.suites.grouptravel.agent.understanding.topics import Finding

_MILD = Tone(True, "mild")


@dataclass(slots=True)
class Item:
    """A recognised name on its way to a finding. open: without a tone of a later clause it means nothing."""

    kind: Kind
    cities: tuple[str, ...]
    tone: Tone | None
    sentence: int
    before_tone: bool = False
    open: bool = False
    near: tuple[str, ...] = ()


def marks_for(start: int, starts: list[int], marks: list[Mark]) -> list[Mark]:
    """The cues that belong to the name at `start`: all of the clause's, unless cues stand between several names."""
    slots: list[list[Mark]] = [[] for _ in range(len(starts) + 1)]
    for mark in marks:
        slots[sum(other < mark.start for other in starts)].append(mark)
    filled = [place for place, slot in enumerate(slots) if slot]
    if len(filled) <= 1 or not any(0 < place < len(starts) for place in filled):
        return marks
    mine = starts.index(start)
    if slots[0]:
        return slots[max(place for place in filled if place <= mine)]
    return slots[min((place for place in filled if place > mine), default=filled[-1])]


def spread_tone(items: list[Item], asked: bool) -> None:
    """Items without a tone take that of their neighbours in the sentence, else what the question suggests."""
    for before, item in pairwise(items):
        if (
            item.tone is None
            and not item.open
            and before.tone
            and before.before_tone
            and before.sentence == item.sentence
        ):
            item.tone, item.before_tone = before.tone, True
    for item, after in reversed(list(pairwise(items))):
        if (
            item.tone is None
            and not item.open
            and after.tone
            and after.sentence == item.sentence
            and _alike(item, after)
        ):
            item.tone = after.tone
    for item in items:
        if item.tone is None and not item.open and (asked or item.kind.sure):
            item.tone = default_tone(item.kind)


def _alike(one: Item, other: Item) -> bool:
    places = {"sights", "categories"}
    return one.kind.subject == other.kind.subject or {one.kind.subject, other.kind.subject} <= places


def default_tone(kind: Kind) -> Tone:
    return Tone(True, "plain") if kind.subject == "sights" else _MILD


def findings_of(item: Item, tone: Tone, subject: Subject, named: bool = True) -> Iterator[Finding]:
    """The wishes that an item of a tone stands for: one in each of its cities, or one of no city."""
    cities: tuple[str | None, ...] = item.cities
    if subject in {"transport", "hotels"} or not item.cities:
        cities = (None,)
    for city in cities:
        near = item.near[0] if item.near and city is None else None
        yield Finding(subject, city, tone.tier, item.kind.item, near, named)
