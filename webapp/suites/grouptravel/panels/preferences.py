"""What a traveller wants, what they gave up, and what the agent believes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from django.utils.translation import gettext as _

from benchmark.suites.grouptravel.events import CompromiseApplied, TableInferred
from benchmark.suites.grouptravel.preferences import FIELDS, FieldValues, PreferenceField, filled_by_city
from benchmark.suites.grouptravel.provenance import Sources
from webapp.sessions.reading import Reading
from webapp.suites.grouptravel.wording.fields import line_label, tier_word, value_words

Place = tuple[str, PreferenceField]
"""The city ("" for global fields) and the field."""


@dataclass(frozen=True)
class HeldValue:
    """One value that the traveller has. state: kept, given (up) or gained; seq: the compromise, None without one."""

    text: str
    state: str
    seq: int | None = None


@dataclass(frozen=True)
class Belief:
    """One value that the agent believes, or misses.

    status: known, unknown (the agent has nothing), missed (it has other values), wrong, stale (given up since).
    seq: the event to look at, None without one. said_at: the traveller's first message that holds it.
    """

    text: str
    status: str
    note: str = ""
    seq: int | None = None
    said_at: int | None = None


@dataclass
class Row:
    """One line of the table."""

    label: str
    has: list[HeldValue] = field(default_factory=list)
    beliefs: list[Belief] = field(default_factory=list)


@dataclass(frozen=True)
class Tables:
    """The three tables of one traveller by city and field, and since when things are so.

    since: the number of the event with which the agent's present belief in an item began.
    change_seqs: the number of the compromise that changed a field.
    """

    original: FieldValues
    effective: FieldValues
    beliefs: FieldValues
    since: Mapping[tuple[Place, str], int]
    change_seqs: Mapping[str, int]


def context(reading: Reading, traveller: str) -> dict[str, Any]:
    """The rows of a traveller's table with a count of each status."""
    tables = tables_of(reading, traveller)
    rows = list(rows_of(tables, partial(Sources(reading.events).message_with, traveller)))
    counts: dict[str, int] = {}
    for row in rows:
        for belief in row.beliefs:
            counts[belief.status] = counts.get(belief.status, 0) + 1
        row.beliefs = _join_beliefs(row.beliefs)
    cards = reading.state.cards
    return {
        "roles": {user: card.role for user, card in cards.items()},
        "rows": rows,
        "counts": counts,
        "compromisable": traveller in cards and cards[traveller].compromisable,
        "given": reading.state.applied_counts.get(traveller, 0),
        "believes": bool(reading.state.table),
    }


def _join_beliefs(beliefs: list[Belief]) -> list[Belief]:
    """Beliefs that differ in nothing but their item, as one."""
    texts: dict[tuple[str, str, int | None, int | None], list[str]] = {}
    for belief in beliefs:
        texts.setdefault((belief.status, belief.note, belief.seq, belief.said_at), []).append(belief.text)
    return [Belief(", ".join(texts[key]), *key) for key in texts]


def tables_of(reading: Reading, user: str) -> Tables:
    """The tables of one traveller at the reading's moment."""
    state = reading.state
    return Tables(
        original=filled_by_city(state.cards[user].preference if user in state.cards else None),
        effective=filled_by_city(state.tables.get(user)),
        beliefs=filled_by_city(state.table.get(user)),
        since=_since(reading, user),
        change_seqs={
            event.body.path: event.seq
            for event in reading.events
            if isinstance(event.body, CompromiseApplied) and event.body.user == user
        },
    )


def _since(reading: Reading, user: str) -> dict[tuple[Place, str], int]:
    """An item that is dropped and comes back counts from its return."""
    since: dict[tuple[Place, str], int] = {}
    for event in reading.events:
        if not isinstance(event.body, TableInferred) or not event.body.table:
            continue
        held = filled_by_city(event.body.table.get(user))
        keys = [
            ((city, f), repr(v))
            for city, own in held.items()
            for f, value in own.items()
            for v in _items(value)
        ]
        since = {key: since.get(key, event.seq) for key in keys}
    return since


FindMessage = Callable[[Any], int | None]
"""The message in which the traveller first said an item."""


def rows_of(tables: Tables, said: FindMessage = lambda item: None) -> Iterator[Row]:
    """Every field that any of the three tables fills; the two caps of a day share a line."""
    rows: dict[str, Row] = {}
    for place in _places(tables):
        city, field_ = place
        label = line_label(field_, city)
        row = rows.setdefault(label, Row(label))
        row.has += _held_values(tables, place)
        row.beliefs += _beliefs(tables, place, said)
    yield from (row for row in rows.values() if row.has or row.beliefs)


def _places(tables: Tables) -> list[Place]:
    cities = dict.fromkeys([*tables.original, *tables.effective, *tables.beliefs])
    parts = (tables.original, tables.effective, tables.beliefs)
    return [(c, f) for c in cities for f in FIELDS if any(f in part.get(c, {}) for part in parts)]


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _at(table: FieldValues, place: Place) -> list[Any]:
    return _items(table.get(place[0], {}).get(place[1]))


def _held_values(tables: Tables, place: Place) -> list[HeldValue]:
    before, now = _at(tables.original, place), _at(tables.effective, place)
    seq = tables.change_seqs.get(place[1].path_in(place[0]))
    given = [HeldValue(value_words(v, place[1]), "given", seq) for v in before if v not in now]
    kept = [HeldValue(value_words(v, place[1]), "kept") for v in now if v in before]
    gained = [HeldValue(value_words(v, place[1]), "gained", seq) for v in now if v not in before]
    return [*kept, *given, *gained]


def _beliefs(tables: Tables, place: Place, said: FindMessage) -> list[Belief]:
    """What the agent believes of a field, then what it misses there.

    An item that it put under another tier stands on the line of its true one only.
    """
    believed, now = _at(tables.beliefs, place), _at(tables.effective, place)
    beliefs = [
        replace(_belief(tables, place, value), said_at=said(value))
        for value in believed
        if not _belongs_elsewhere(tables, place, value)
    ]
    missing = [value for value in now if value not in believed]
    if place[1].kind == "scalar":
        return beliefs or [_unknown_cap(place, value) for value in missing]
    misplaced = [value for value in missing if _other_tier(tables.beliefs, place, value)]
    beliefs += [_misplaced_item(tables, place, value) for value in misplaced]
    if missing and not believed and not misplaced:
        return [*beliefs, Belief(_("not known"), "unknown")]
    missed = (v for v in missing if v not in misplaced)
    return [*beliefs, *(Belief(value_words(v), "missed", _("missed"), said_at=said(v)) for v in missed)]


def _unknown_cap(place: Place, value: Any) -> Belief:
    """A cap that the agent has nothing for; the caps of a day are told apart by their unit."""
    text = _("not known")
    return Belief(
        f"{value_words(value, place[1])}: {text}" if place[1].topic == "intensity" else text, "unknown"
    )


def _belief(tables: Tables, place: Place, value: Any) -> Belief:
    text, seq = value_words(value, place[1]), tables.since.get((place, repr(value)))
    if value in _at(tables.effective, place):
        return Belief(text, "known", "", seq)
    if value in _at(tables.original, place):
        return Belief(text, "stale", _("given up"), tables.change_seqs.get(place[1].path_in(place[0])))
    return Belief(text, "wrong", _("wrong") if place[1].kind == "scalar" else _("invented"), seq)


def _belongs_elsewhere(tables: Tables, place: Place, value: Any) -> bool:
    held_here = value in _at(tables.effective, place) or value in _at(tables.original, place)
    return not held_here and _other_tier(tables.effective, place, value) is not None


def _other_tier(table: FieldValues, place: Place, value: Any) -> PreferenceField | None:
    """Another tier of the same topic and city that holds an item."""
    city, field_ = place
    if field_.kind == "scalar":
        return None
    tiers = (f for f, held in table.get(city, {}).items() if f.topic == field_.topic and f is not field_)
    return next((f for f in tiers if value in _items(table[city][f])), None)


def _misplaced_item(tables: Tables, place: Place, value: Any) -> Belief:
    """An item that the agent put under another tier: `avoids 周庄古镇, weaker`."""
    other = _other_tier(tables.beliefs, place, value)
    assert other is not None
    if other.positive != place[1].positive:
        how = _("the opposite")
    else:
        how = _("weaker") if abs(other.points) < abs(place[1].points) else _("stronger")
    said = _("%(tier)s %(item)s") % {"tier": tier_word(other), "item": value_words(value)}
    return Belief(said, "wrong", how, tables.since.get(((place[0], other), repr(value))))
