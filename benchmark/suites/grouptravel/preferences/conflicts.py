"""Where the wishes of a group clash (GroupTravelBench, appendix A.9.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import permutations
from typing import Any, NamedTuple

from benchmark.suites.grouptravel.preferences.schema import PreferenceField, Topic
from benchmark.suites.grouptravel.preferences.tables import filled


class Conflict(NamedTuple):
    """One item that `liker` wants and `disliker` does not want, in the same city where the field belongs to one.

    kind: food, attraction_category, attraction_name, transport or hotel. city: "" for global fields.
    like_path, dislike_path: the dotted paths of the two fields.
    """

    kind: Topic
    city: str
    item: str
    liker: str
    like_path: str
    disliker: str
    dislike_path: str


_Wishes = dict[tuple[Topic, str, str], list[PreferenceField]]


def conflicts(tables: Mapping[str, Any]) -> list[Conflict]:
    """Item-level conflicts over all directed pairs of travellers; `tables` maps a user to a preference table.

    An item clashes once for a pair, kind and city, even when two tiers of one traveller hold it: the strongest
    of these is named.
    """
    wants = {user: _wishes(table, positive=True) for user, table in tables.items()}
    shuns = {user: _wishes(table, positive=False) for user, table in tables.items()}
    found = []
    for liker, disliker in permutations(tables, 2):
        for key, fields in wants[liker].items():
            if key in shuns[disliker]:
                found.append(_conflict(key, liker, fields, disliker, shuns[disliker][key]))
    return found


def _conflict(
    key: tuple[Topic, str, str],
    liker: str,
    likes: list[PreferenceField],
    disliker: str,
    dislikes: list[PreferenceField],
) -> Conflict:
    kind, city, item = key
    like, dislike = _strongest(likes), _strongest(dislikes)
    return Conflict(kind, city, item, liker, like.path_in(city), disliker, dislike.path_in(city))


def _strongest(fields: Iterable[PreferenceField]) -> PreferenceField:
    return max(fields, key=lambda f: abs(f.points))


def _wishes(table: Any, *, positive: bool) -> _Wishes:
    found: _Wishes = {}
    for field, city, item in _items(table):
        if field.positive is positive:
            found.setdefault((field.topic, city, item), []).append(field)
    return found


def _items(table: Any) -> Iterable[tuple[PreferenceField, str, str]]:
    for field, city, value in filled(table):
        if field.kind == "list" and isinstance(value, list):
            yield from ((field, city, item) for item in value if isinstance(item, str))
