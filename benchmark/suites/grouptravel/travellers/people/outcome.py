"""What of a person's wishes is in the plan, item by item, by the published scoring's own evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from benchmark.suites.grouptravel.itineraries import is_plan
from benchmark.suites.grouptravel.preferences import Tier
from benchmark.suites.grouptravel.scoring import Catalogue
from benchmark.suites.grouptravel.scoring.evidence import fairness_evidence
from benchmark.suites.grouptravel.travellers.people.plans import points_of, same_place, trip_of, values_of
from benchmark.suites.grouptravel.travellers.scripted import wishes as scripted

Where = tuple[Any, str]
"""The plan's label of the day, None for the whole trip, and the location: "A → B" for a leg, "" for a whole day."""
_BY_NAME = ("sights", "transport", *scripted.CAPPED_TOPICS)
"""Topics that need no catalogue."""
_EITHER = ("hotels", "transport")
"""Topics of which one of several names that are wanted is enough."""
_PRESENT_REASONS = ("counted", "unknown", "overlap")
"""Reasons for which a wish earns no point although it is in the plan for this traveller."""


@dataclass(frozen=True, slots=True)
class Wish:
    """One item of one field, or one cap.

    path: full dotted path; city: "" for the whole trip. item: the name as it stands in the table, or a cap's figure;
    "" for all names of which one would do.
    got: whether it is as wished: what is wanted is in the plan with this person, what is shunned is not, a cap is
    kept. None where that is not known: there is no plan, or it needs the catalogue.
    where: the place in the plan that meets or breaks it, or where others go without this person; None without one.
    given_up: whether a compromise took it out of the table or changed the figure.
    """

    path: str
    city: str
    tier: Tier
    item: str
    got: bool | None
    where: Where | None
    given_up: bool


def outcome(
    plan: Any,
    original: Any,
    effective: Any,
    user: str,
    users: Iterable[str],
    catalogue: Catalogue | None = None,
) -> tuple[Wish, ...]:
    """Every item of the `original` table in its order, field by field, each field with what compromises put there.

    plan: the decoded plan, None or anything else for no plan. users: all travellers with a table.
    An item that was given up is judged by the original table, any other by the effective one.
    """
    first, last = scripted.wishes(original), scripted.wishes(effective)
    if is_plan(plan):
        trip = (plan, user, tuple(users), catalogue)
        before, after = _Judge.of(first, *trip), _Judge.of(last, *trip)
    else:
        before = after = _Judge({}, {}, set())
    wishes = list(_merge_wishes(first, last, before, after))
    paths = dict.fromkeys(wish.path for wish in wishes)
    return tuple(wish for path in paths for wish in _of_field(path, wishes, last))


def _of_field(path: str, wishes: Sequence[Wish], held: scripted.Wishes) -> Iterator[Wish]:
    """The wishes of one field. Of several hotels, or ways to travel, that are wanted one is enough: they are one
    wish, which is told by what it got, or as a whole (its item is "") where it got none.
    """
    own = [wish for wish in wishes if wish.path == path]
    kept = [wish for wish in own if not wish.given_up]
    either = any(wish.path == path and wish.wanted and wish.topic in _EITHER for wish in held.all)
    if not either or len(kept) < 2 or any(wish.got is None for wish in kept):
        yield from own
        return
    yield from [wish for wish in kept if wish.got] or [replace(kept[0], item="", where=None)]
    yield from (wish for wish in own if wish.given_up)


class _Fulfilment(NamedTuple):
    got: bool | None
    where: Where | None = None


class _Judge(NamedTuple):
    """hits: where the plan has an item, by path and item (a cap: by path and figure), for better or worse.

    others_places: where others go without this traveller. known_paths: paths of which everything is known. visits:
    the sights that this traveller goes to, by city.
    """

    hits: Mapping[tuple[str, str], Where | None]
    others_places: Mapping[tuple[str, str], Where | None]
    known_paths: set[str]
    visits: Sequence[tuple[str, Where]] = ()

    @classmethod
    def of(
        cls, held: scripted.Wishes, plan: Any, user: str, users: tuple[str, ...], catalogue: Catalogue | None
    ) -> _Judge:
        trip = trip_of(plan, user, users, catalogue)
        points = points_of(user, held, trip)
        hits: dict[tuple[str, str], Where | None] = {}
        for point in points:
            cap = point["tier"] == "cap"
            item = scripted.figure(point["item"]) if cap else str(point["item"])
            hits.setdefault((point["path"], item), _where(point["day"], point["place"]))
        apart: dict[tuple[str, str], Where | None] = {}
        worst = fairness_evidence({user: 0, "": 1}, {user: points}, {user: values_of(held)}, trip)
        for unmet in worst["unmet"]:
            places_by_wish = hits if unmet["reason"] in _PRESENT_REASONS else apart
            if unmet["place"]:
                places_by_wish.setdefault(
                    (unmet["path"], unmet["item"]), _where(unmet["day"], unmet["place"])
                )
        known = {wish.path for wish in held.all if catalogue is not None or wish.topic in _BY_NAME}
        visits = [
            (city, (outing.day.label, outing.activity.location))
            for city, seen in trip.sights.items()
            for outing in seen.outings
            if user in outing.who
        ]
        return cls(hits, apart, known, visits)

    def _by_another_name(self, wish: scripted.Wish, item: str) -> Where | None:
        """Where the plan takes this traveller to the place under a shorter or a longer name."""
        places = (
            where for city, where in self.visits if city == wish.city and same_place(where[1], item, city)
        )
        return next(places, None)

    def fulfilment_of(self, wish: scripted.Wish, item: str) -> _Fulfilment:
        key = wish.path, item
        if key in self.hits:
            return _Fulfilment(wish.wanted, self.hits[key])
        if key in self.others_places:
            return _Fulfilment(False, self.others_places[key])
        if wish.topic == "sights" and (there := self._by_another_name(wish, item)) is not None:
            return _Fulfilment(wish.wanted, there)
        return _Fulfilment(not wish.wanted if wish.path in self.known_paths else None)


def _where(day: Any, place: str) -> Where | None:
    return None if day is None and not place else (day, place)


def _merge_wishes(
    first: scripted.Wishes, last: scripted.Wishes, before: _Judge, after: _Judge
) -> Iterator[Wish]:
    old, new = ({wish.path: wish for wish in held.all} for held in (first, last))
    for path in dict.fromkeys((*old, *new)):
        kept = _items(new.get(path))
        for item in dict.fromkeys((*_items(old.get(path)), *kept)):
            given_up = item not in kept
            wish = old[path] if given_up else new[path]
            met = (before if given_up else after).fulfilment_of(wish, item)
            yield Wish(path, wish.city, wish.field.tier, item, met.got, met.where, given_up)


def _items(wish: scripted.Wish | None) -> tuple[str, ...]:
    if wish is None:
        return ()
    return wish.items or (scripted.figure(wish.cap),)
