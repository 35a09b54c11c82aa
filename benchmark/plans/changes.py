"""What differs between two plans: what came, what went, what is on another day, at another time or price."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from benchmark.plans.view import Entry, PlanView

ChangeKind = Literal["added", "dropped", "moved", "retimed", "dearer", "cheaper"]
"""moved: to another day; retimed: to another time of the same day."""


class PlacedEntry(NamedTuple):
    """An entry with the position of its day in the plan, from 0, and what that day is called.

    label: as the plan has it, by which days of two plans are the same; the place of the day, from 1, in a plan that
    calls several days alike.
    """

    day: int
    label: str
    entry: Entry


class Change(NamedTuple):
    """One difference. before: None where the entry was added; after: None where it was dropped."""

    kind: ChangeKind
    before: PlacedEntry | None
    after: PlacedEntry | None


EntryPair = tuple[PlacedEntry, PlacedEntry]


def placed_entries(view: PlanView) -> list[PlacedEntry]:
    """All entries of a plan in its order."""
    labels = [day.label for day in view.days]
    if len(set(labels)) < len(labels):
        labels = [str(place) for place in range(1, len(labels) + 1)]
    return [
        PlacedEntry(position, label, entry)
        for position, (label, day) in enumerate(zip(labels, view.days, strict=True))
        for entry in day.entries
    ]


def pair_entries(before: Sequence[PlacedEntry], after: Sequence[PlacedEntry]) -> list[EntryPair]:
    """Entries that are the same thing in both plans, each in one pair.

    Those at the same time of the same day come first, then those of the same day, then the n-th with the n-th.
    """
    ways: list[Callable[[PlacedEntry], tuple[object, ...]]] = [
        lambda placed: (_identity(placed.entry), placed.label, placed.entry.when.text),
        lambda placed: (_identity(placed.entry), placed.label),
        lambda placed: (_identity(placed.entry),),
    ]
    left, right, pairs = list(before), list(after), []
    for key in ways:
        for placed in list(left):
            match = next((other for other in right if key(other) == key(placed)), None)
            if match is not None:
                left.remove(placed)
                right.remove(match)
                pairs.append((placed, match))
    return pairs


def changes_between(before: PlanView, after: PlanView) -> list[Change]:
    """All differences: of what both plans have, in the order of the second one, then what was dropped and added."""
    old, new = placed_entries(before), placed_entries(after)
    pairs = sorted(pair_entries(old, new), key=lambda pair: new.index(pair[1]))
    gone, come = (
        _entries_without_pair(old, (pair[0] for pair in pairs)),
        _entries_without_pair(new, (pair[1] for pair in pairs)),
    )
    changes = [change for pair in pairs for change in changes_of(*pair)]
    changes += [Change("dropped", placed, None) for placed in gone]
    return changes + [Change("added", None, placed) for placed in come]


def changes_of(before: PlacedEntry, after: PlacedEntry) -> Iterator[Change]:
    """How one thing differs: its day or else its time, and its cost."""
    if before.label != after.label:
        yield Change("moved", before, after)
    elif before.entry.when.text != after.entry.when.text:
        yield Change("retimed", before, after)
    costs = [placed.entry.cost.amount if placed.entry.cost else None for placed in (before, after)]
    if costs[0] is not None and costs[1] is not None and costs[0] != costs[1]:
        yield Change("dearer" if costs[1] > costs[0] else "cheaper", before, after)


def _identity(entry: Entry) -> tuple[str, str]:
    """What tells that two entries are the same thing: kind and id, else the name that a reader would call equal."""
    if entry.place is not None and entry.place.id:
        return entry.kind, entry.place.id
    return entry.kind, unicodedata.normalize("NFKC", entry.label).casefold().strip()


def _entries_without_pair(
    all_of_them: Sequence[PlacedEntry], paired: Iterable[PlacedEntry]
) -> list[PlacedEntry]:
    places = {placed.entry.at for placed in paired}
    return [placed for placed in all_of_them if placed.entry.at not in places]
