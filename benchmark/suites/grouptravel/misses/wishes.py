"""Wishes that a plan does not meet or goes against: what group utility lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, cast, get_args

from benchmark.misses import Miss
from benchmark.suites.grouptravel.events import CompromiseApplied
from benchmark.suites.grouptravel.itineraries.reading import ATTRACTION, FOOD, HOTEL
from benchmark.suites.grouptravel.misses.knowledge import field_at
from benchmark.suites.grouptravel.misses.reading import LostSession, WishKnowledge
from benchmark.suites.grouptravel.preferences import (
    FIELD,
    TRANSPORT_MODES,
    FieldValues,
    PreferenceField,
    paths_in,
)
from benchmark.suites.grouptravel.scoring.evidence.fairness import account, places_in, unmet_wishes, where
from benchmark.suites.grouptravel.scoring.leniency import items
from benchmark.suites.grouptravel.scoring.trip import Trip
from benchmark.suites.grouptravel.scoring.utility import Point
from sandbox.worlds.records import Mode

_ALTERNATIVES = {"transport": ("transport.must", "transport.prefer"), "hotel": ("hotel_preference.prefer",)}
"""Wishes of which one item meets a leg or a night, by their topic; the strongest tier that is filled is asked for."""
_SCHEDULED_MODES = get_args(Mode)
"""Modes by which services run; whoever drives needs none."""


def utility_misses(session: LostSession) -> Iterator[Miss]:
    """What each traveller lost, in points of the mean over those who count."""
    share = 1 / (len(session.tables) or 1)
    for miss in _misses(session):
        yield miss._replace(points=miss.points * share)


def _misses(session: LostSession) -> Iterator[Miss]:
    if session.trip is None:
        for user, table in session.tables.items():
            yield from _without_plan(session, user, table)
        return
    wishes = _Wishes(session, session.trip)
    for user, table in session.tables.items():
        yield from wishes.find_unmet(user, table)
        yield from wishes.find_alternatives(user, table)
        yield from wishes.find_violations(user)
    yield from _given_way(session, session.trip)
    for split in session.evidence.get("splits", ()):
        ways = " / ".join("+".join(map(str, party)) for party in split["parties"])
        yield Miss(
            "gu", "split", "traded", split["penalty"], "", f"{split['day']} · {ways}", session.plan_seq
        )


def _without_plan(session: LostSession, user: str, table: FieldValues) -> Iterator[Miss]:
    """What any plan could have earned at least: once each item, and once what has alternatives."""
    end = (session.log[-1].seq,)
    for field, city, item in unmet_wishes(table, ()):
        if field.topic not in _ALTERNATIVES:
            yield Miss("gu", _kind(field), "no_plan", field.points, user, _in_city(item, city), end)
    for topic in _ALTERNATIVES:
        strongest, wanted = _strongest(table, topic)
        if strongest is not None:
            yield Miss("gu", _kind(strongest), "no_plan", strongest.points, user, _list_words(wanted), end)


def _kind(field: PreferenceField) -> str:
    return ".".join(field.keys)


def _in_city(item: object, city: str) -> str:
    return f"{item} ({city})" if city else str(item)


def _list_words(wanted: Sequence[str]) -> str:
    return " / ".join(wanted)


def _strongest(table: FieldValues, topic: str) -> tuple[PreferenceField | None, list[str]]:
    """The strongest tier of a topic that a table fills, and its items; (None, []) where it fills none."""
    for tail in _ALTERNATIVES[topic]:
        wanted = [item for item in items(table.get("", {}).get(FIELD[tail])) if isinstance(item, str)]
        if wanted:
            return FIELD[tail], wanted
    return None, []


class _Unit(NamedTuple):
    """A leg or a night. key: (day, segment, activity), as points have it. place: in words, of a leg with its mode."""

    key: tuple[Any, ...]
    place: str
    known: bool = True


class _Wishes:
    """The wishes of a group beside their plan."""

    def __init__(self, session: LostSession, trip: Trip) -> None:
        self._session, self._trip = session, trip
        self._places = places_in(trip)

    def find_unmet(self, user: str, table: FieldValues) -> Iterator[Miss]:
        """Sights and meals that earned nothing."""
        points = self._session.points[user]
        for field, city, item in unmet_wishes(table, points):
            if field.topic in _ALTERNATIVES:
                continue
            told = account(user, field, item, points, self._places.get(where(field, city)), self._trip)
            heard = self._session.knowledge_of(user, field, city, item)
            cause = told["reason"]
            if cause == "absent":
                against = bool(self._opponents(user, field, city, item))
                cause = _cause(heard, self._exists(field, city, item), against)
            seqs = (*heard.seqs, *self._session.plan_seq)
            yield Miss("gu", _kind(field), cause, field.points, user, _in_city(item, city), seqs)

    def find_alternatives(self, user: str, table: FieldValues) -> Iterator[Miss]:
        """Legs and nights of which none is of a mode or class that the traveller wants."""
        for topic in _ALTERNATIVES:
            field, wanted = _strongest(table, topic)
            units = self._units(topic)
            if field is None or not units:
                continue
            earned = self._points_by_unit(user, topic)
            lost = {unit: field.points - max(earned.get(unit.key, 0), 0) for unit in units}
            missed = [unit for unit, points in lost.items() if points > 0]
            if not missed:
                continue
            heard = min(
                (self._session.knowledge_of(user, field, "", item) for item in wanted),
                key=lambda one: ("dropped", "not_told", "never_asked").index(one.cause),
            )
            exists = [self._exists(field, "", item) for item in wanted]
            possible = True if True in exists else None if None in exists else False
            others = [self._points_by_unit(other, topic) for other in self._session.tables if other != user]
            against = any(own.get(unit.key, 0) > 0 for own in others for unit in missed) or any(
                self._opponents(user, field, "", item) for item in wanted
            )
            cause = _cause(heard, possible, against)
            if heard.is_known and not any(unit.known for unit in missed):
                cause = "unknown"
            words = f"{_list_words(wanted)} ({', '.join(dict.fromkeys(unit.place for unit in missed))})"
            seqs = (*heard.seqs, *self._session.plan_seq)
            yield Miss("gu", _kind(field), cause, sum(lost[unit] for unit in missed), user, words, seqs)

    def find_violations(self, user: str) -> Iterator[Miss]:
        """What the plan holds or does against a wish."""
        for point in self._session.points[user]:
            if point["points"] >= 0 or (found := field_at(point["path"])) is None:
                continue
            field, city = found
            heard = self._session.knowledge_of(user, field, city, point["item"])
            cause = _cause(heard, None, self._earns_others(user, point))
            day = "" if point["day"] is None else f"{point['day']} · "
            place = point["place"] or f"{point['matched']} > {point['item']:g}"
            words = f"{day}{place}" if point["tier"] == "cap" else f"{point['item']} ({day}{place})"
            seqs = (*heard.seqs, *self._session.plan_seq)
            yield Miss("gu", _kind(field), cause, -point["points"], user, words, seqs)

    def _units(self, topic: str) -> list[_Unit]:
        if topic == "transport":
            return [
                _Unit((day.label, leg.at, None), f"{leg.from_city} → {leg.to_city}: {leg.mode}")
                for day, leg in self._trip.legs
            ]
        return [
            _Unit(
                (night.day.label, night.block.at, night.activity.at),
                night.activity.location,
                night.place is not None,
            )
            for night in self._trip.nights
        ]

    def _points_by_unit(self, user: str, topic: str) -> dict[tuple[Any, ...], int]:
        """What each leg or night earned a traveller by wishes for its kind."""
        earned: dict[tuple[Any, ...], int] = {}
        for point in self._session.points[user]:
            found = field_at(point["path"])
            if found is not None and found[0].topic == topic and point["points"] > 0:
                key = point["day"], point["segment"], point["activity"]
                earned[key] = earned.get(key, 0) + point["points"]
        return earned

    def _earns_others(self, user: str, point: Point) -> bool:
        """Whether another traveller wants what goes against this one."""
        key = point["day"], point["segment"], point["activity"]
        return point["segment"] is not None and any(
            other["points"] > 0 and (other["day"], other["segment"], other["activity"]) == key
            for name, points in self._session.points.items()
            if name != user
            for other in points
        )

    def _opponents(self, user: str, field: PreferenceField, city: str, item: str) -> list[str]:
        """The other travellers who would rather not have it."""
        place = self._session.catalogue.place(city, item) if field.topic == "attraction_name" else None
        named = {item, *([place.category] if place else ())}
        return [
            other
            for other, table in self._session.tables.items()
            if other != user
            for held, value in table.get(city, {}).items()
            if not held.positive
            and (held.topic == field.topic or (held.topic == "attraction_category" and place is not None))
            and any(told in named for told in items(value) if isinstance(told, str))
        ]

    def _exists(self, field: PreferenceField, city: str, item: str) -> bool | None:
        """Whether the world has what would meet a wish; None where that is not known."""
        catalogue = self._session.catalogue
        if field.topic == "transport":
            return self._runs(item)
        if field.topic == "hotel":
            cities = [name for name in self._trip.cities() if name in catalogue]
            return any(catalogue.has(name, HOTEL, item) for name in cities) if cities else None
        if city not in catalogue:
            return None
        kind = FOOD if field.topic == "food" else ATTRACTION
        return catalogue.has(city, kind, item, named=field.topic == "attraction_name")

    def _runs(self, mode: str) -> bool | None:
        """Whether any leg of the trip could go by a mode."""
        if mode not in _SCHEDULED_MODES:
            return True if mode in TRANSPORT_MODES else None
        pack = self._session.pack
        ends = dict.fromkeys((leg.from_city, leg.to_city) for _day, leg in self._trip.legs)
        if pack is None or any(pack.city(name) is None for pair in ends for name in pair):
            return None
        return any(pack.services(*pair, cast("Mode", mode)) for pair in ends)


def _cause(heard: WishKnowledge, exists: bool | None, against: bool) -> str:
    if exists is False:
        return "impossible"
    return "traded" if heard.is_known and against else heard.cause


def _given_way(session: LostSession, trip: Trip) -> Iterator[Miss]:
    """Wishes that a compromise took out of a table and that the plan does not meet: they cost no points."""
    for event in session.log:
        body = event.body
        if isinstance(body, CompromiseApplied) and (found := field_at(body.path)) is not None:
            field, city = found
            table = session.tables.get(body.user)
            if table is None or not field.positive or not isinstance(body.was, list):
                continue
            left = items(table.get(city, {}).get(field))
            met = {
                (point["path"], point["item"]) for point in session.points[body.user] if point["points"] > 0
            }
            for item in body.was:
                if isinstance(item, str) and item not in left and (paths_in(city)[field], item) not in met:
                    seqs = (event.seq, *session.plan_seq)
                    yield Miss("gu", _kind(field), "traded", 0, body.user, _in_city(item, city), seqs)
