"""The plans of sessions, aligned by day and place, and on one map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _

from benchmark.alignment.rows import Row, first_item
from benchmark.plans.changes import PlacedEntry, changes_of, pair_entries, placed_entries
from benchmark.plans.view import PlanView
from webapp.catalogue.geometry import map_of
from webapp.comparisons.stretches import Stretch, stretches_of
from webapp.pages import ComparedRow
from webapp.plans.days import money
from webapp.plans.mapping import MappedStop, mapped_days, pack_of
from webapp.plans.pair import UNCOMPARED_KINDS
from webapp.plans.reading import SessionPlan
from webapp.plans.times import time_words
from webapp.sessions.reading import Reading
from webapp.wording.numbers import number_words


@dataclass(frozen=True, slots=True)
class ShownStop:
    """A stop of a session. day: what its day is called where that is another day, "" where it is this one.

    retimed: it is at another time of the day than in the first session that has it.
    """

    time: str
    name: str
    cost: str
    who: tuple[str, ...]
    day: str
    retimed: bool


@dataclass(frozen=True, slots=True)
class StopLine:
    """The same place in the plans of all sessions, None where one has it not at all."""

    stops: Sequence[ShownStop | None]
    alike: bool
    is_alone: bool


@dataclass(frozen=True, slots=True)
class ComparedDay:
    """A day of all plans."""

    label: str
    stretches: Sequence[Stretch[StopLine]]


@dataclass(frozen=True, slots=True)
class Plans:
    """rows: what the plans hold, a row a place. has_plan: of each session, whether it has a plan."""

    views: Sequence[PlanView]
    has_plan: Sequence[bool]
    users: Sequence[str]
    rows: Sequence[Row[PlacedEntry]]

    @property
    def counts(self) -> dict[str, int]:
        """Rows that are `same`, `retimed`, `moved` to another day, `changed` otherwise (price, who), `some` (several
        but not all sessions have the place), and `alone` (only one has it).
        """
        found = [kind_of(row) for row in self.rows]
        return {kind: found.count(kind) for kind in ("same", "retimed", "moved", "changed", "some", "alone")}

    @property
    def days(self) -> Iterator[ComparedDay]:
        """Day by day, each with all that any session has on it, by the time of the day."""
        for label in _labels(self.rows):
            rows = [row for row in self.rows if any(entry and entry.label == label for entry in row)]
            rows.sort(key=lambda row: _moment(row, label))
            lines = (self._line(row, label) for row in rows)
            yield ComparedDay(label, stretches_of(lines, lambda line: line.alike))

    def _line(self, row: Row[PlacedEntry], label: str) -> StopLine:
        kind = kind_of(row)
        base = first_item(row)
        stops = [None if entry is None else self._stop(entry, base, label) for entry in row]
        return StopLine(stops, kind == "same", kind == "alone")

    def _stop(self, placed: PlacedEntry, base: PlacedEntry, label: str) -> ShownStop:
        entry = placed.entry
        return ShownStop(
            time_words(entry.when),
            entry.label,
            money(entry.cost),
            tuple(user for user in self.users if user in entry.who),
            "" if placed.label == label else placed.label,
            placed.label == base.label and entry.when.text != base.entry.when.text,
        )

    @property
    def costs(self) -> list[ComparedRow]:
        """What the plans cost, line by line, with what each has more or less than the first."""
        amounts = [{line.label: line.amount for line in view.costs} for view in self.views]
        labels = dict.fromkeys(label for own in amounts for label in own)
        return [
            ComparedRow(
                _(label),
                [[f"¥{own[label]:,.0f}"] if label in own else [] for own in amounts],
                [_more_words(amounts[0].get(label), own.get(label)) for own in amounts],
            )
            for label in labels
        ]


def _more_words(base: float | None, amount: float | None) -> str:
    if base is None or amount is None or abs(amount - base) < 0.5:  # half a yuan, which no figure shows
        return ""
    return number_words(amount - base, 0, signed=True)


def align_readings(readings: Sequence[Reading]) -> Plans:
    """The plans of some sessions, a row a place; of a session without a plan nothing."""
    shown = [SessionPlan(reading).located_view for reading in readings]
    users = list(dict.fromkeys(user for reading in readings for user in reading.users))
    views = [view or PlanView() for view in shown]
    return Plans(views, [view is not None for view in shown], users, align_plans(views))


def align_plans(views: Sequence[PlanView]) -> list[Row[PlacedEntry]]:
    """What the plans hold, but for what tells little: each entry once, the same thing of several plans in one row."""
    rows: list[Row[PlacedEntry]] = []
    for number, view in enumerate(views):
        entries = [placed for placed in placed_entries(view) if placed.entry.kind not in UNCOMPARED_KINDS]
        bases = [first_item(row) for row in rows]
        paired = {id(base): other for base, other in pair_entries(bases, entries)}
        taken = set(map(id, paired.values()))
        rows = [(*row, paired.get(id(first_item(row)))) for row in rows]
        rows += [(*(None,) * number, placed) for placed in entries if id(placed) not in taken]
    return rows


def kind_of(row: Row[PlacedEntry]) -> str:
    """What becomes of a place in the plans: a key of `Plans.counts`."""
    present = [placed for placed in row if placed is not None]
    if len(present) < len(row):
        return "alone" if len(present) == 1 else "some"
    kinds = {change.kind for placed in present[1:] for change in changes_of(present[0], placed)}
    if kinds & {"moved", "retimed"}:
        return "moved" if "moved" in kinds else "retimed"
    return "changed" if kinds or len({placed.entry.who for placed in present}) > 1 else "same"


def _labels(rows: Iterable[Row[PlacedEntry]]) -> list[str]:
    """What the days are called, in the order of the plans."""
    places: dict[str, int] = {}
    for row in rows:
        for placed in row:
            if placed is not None:
                places[placed.label] = min(placed.day, places.get(placed.label, placed.day))
    return sorted(places, key=lambda label: places[label])


def _moment(row: Row[PlacedEntry], label: str) -> tuple[int, tuple[str, ...]]:
    """When the first session that has it on this day does it; what has no hour comes by its place in the plan."""
    entry = next(placed.entry for placed in row if placed is not None and placed.label == label)
    start = entry.when.start
    return (start if start is not None else 24 * 60, tuple(f"{part:>6}" for part in map(str, entry.at)))


@dataclass(frozen=True, slots=True)
class Place:
    """What sessions do at one place of a day. lines: of each session what it does there, by its position."""

    name: str
    label: str
    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class DayOnMap:
    """A day; place: of it on the map, from 0. places: in the order of the sessions' ways."""

    place: int
    label: str
    places: Sequence[Place]


def map_context(readings: Sequence[Reading], letters: Sequence[str]) -> dict[str, Any]:
    """What the map needs: a colour a session; `unknown` are the sessions of which no place is known.

    letters: what each session is called.
    """
    stops: list[tuple[str, int, MappedStop]] = []
    paths: list[dict[str, Any]] = []
    unknown = []
    labels: dict[str, None] = {}
    for number, reading in enumerate(readings):
        pack, view = pack_of(reading.session), SessionPlan(reading).located_view
        if pack is None or view is None:
            unknown.append(letters[number])
            continue
        for day in mapped_days(view, reading.users, pack):
            labels[day.label] = None
            known = [stop for stop in day.stops if stop.at is not None]
            stops += [(day.label, number, stop) for stop in known]
            lines = {tuple(_way(known, user)): None for user in reading.users or [""]}
            words = _("%(session)s, day %(day)s") % {"session": letters[number], "day": day.label}
            paths += [
                {"line": line, "name": words, "hue": number + 1, "rank": number, "day": day.label}
                for line in lines
                if len(line) > 1
            ]
    days = {label: place for place, label in enumerate(labels)}
    for path in paths:
        path["day"] = days[path["day"]]
    points, shown = [], []
    stops.sort(key=lambda stop: days[stop[0]])
    for label, group in groupby(stops, key=lambda stop: stop[0]):
        own = list(_points(list(group), days[label], label, letters))
        points += own
        shown.append(DayOnMap(days[label], label, [Place(p["name"], p["label"], p["facts"]) for p in own]))
    return {
        "days": shown,
        "map": {**map_of(points, paths), "day": 0 if shown else None},
        "unknown": unknown,
    }


def _way(stops: Iterable[MappedStop], user: str) -> list[tuple[float, float]]:
    return [stop.at for stop in stops if stop.at and (not user or not stop.who or user in stop.who)]


def _points(
    stops: Sequence[tuple[str, int, MappedStop]], day: int, label: str, letters: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """A point a place, in the colour of its session; in no session's where several go there."""
    by_place: dict[tuple[float, float], list[tuple[int, MappedStop]]] = {}
    for _label, number, stop in stops:
        if stop.at is not None:
            by_place.setdefault(stop.at, []).append((number, stop))
    for at, own in by_place.items():
        numbers = list(dict.fromkeys(f"{letters[number]}{stop.number}" for number, stop in own))
        sessions = {number for number, _stop in own}
        facts = [f"{letters[number]} {stop.time} {', '.join(stop.who)}".strip() for number, stop in own]
        yield {
            "at": at,
            "kind": "stop",
            "name": own[0][1].name,
            "facts": facts,
            "label": " ".join(numbers),
            "whole": f"{label}·{' '.join(numbers)}",
            "day": day,
            "hue": sessions.pop() + 1 if len(sessions) == 1 else None,
        }
