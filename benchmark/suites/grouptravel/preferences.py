"""What a traveller wants: the schema of a preference table, lenient reading, and conflicts within a group."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations
from typing import Any, Literal, NamedTuple

# The fields of a preference table (GroupTravelBench, appendix A.1, table 4).
#
# A table is the published object {"global_constraints": …, "city_specific_preferences": {CITY: …}}: it is kept as it
# came and never coerced. This module says which fields it may have, nothing about what a given table holds.


Kind = Literal["list", "scalar"]
Scope = Literal["global", "city"]
Tier = Literal["must", "prefer", "avoid", "reject", "cap"]
Strength = Literal["strong", "weak"]
Topic = Literal["budget", "transport", "intensity", "hotel", "attraction_name", "attraction_category", "food"]

GLOBAL_ROOT = "global_constraints"
CITY_ROOT = "city_specific_preferences"
CITY = "CITY"
TRANSPORT_MODES = ("飞机", "火车", "高铁", "自驾")


@dataclass(frozen=True, eq=False)
class PreferenceField:
    """One field of the schema; there is one object of each, compared by identity.

    keys: where the value lies below its root (`global_constraints`, or `city_specific_preferences` and a city).
    tier: how it is meant; `cap` is a limit of the whole trip that costs points when exceeded.
    points: what one satisfied (positive) or violated (negative) item is worth in group utility.
    """

    keys: tuple[str, ...]
    kind: Kind
    tier: Tier
    points: int
    scope: Scope
    topic: Topic

    @cached_property
    def strength(self) -> Strength:
        """Strong tiers weigh two points, weak ones one."""
        return "strong" if abs(self.points) == 2 else "weak"

    @property
    def positive(self) -> bool:
        """Whether the field names what the traveller wants, rather than what they would avoid."""
        return self.points > 0

    @property
    def path(self) -> str:
        """The dotted path, with the word CITY in the place of the city's name."""
        return self.path_in(CITY)

    def path_in(self, city: str) -> str:
        """The dotted path of this field for `city`, which a global field does not need."""
        return paths_in(city)[self]


@lru_cache(maxsize=2048)
def paths_in(city: str) -> dict[PreferenceField, str]:
    """The dotted path of every field, those of a city for `city`."""
    city_root = f"{CITY_ROOT}.{city}"
    return {f: ".".join((GLOBAL_ROOT if f.scope == "global" else city_root, *f.keys)) for f in FIELDS}


def _field(path: str, kind: Kind, tier: Tier, points: int, scope: Scope, topic: Topic) -> PreferenceField:
    return PreferenceField(tuple(path.split(".")), kind, tier, points, scope, topic)


GLOBAL_FIELDS = (
    _field("avg_budget", "scalar", "cap", -2, "global", "budget"),
    _field("transport.must", "list", "must", 2, "global", "transport"),
    _field("transport.prefer", "list", "prefer", 1, "global", "transport"),
    _field("transport.avoid", "list", "avoid", -1, "global", "transport"),
    _field("transport.reject", "list", "reject", -2, "global", "transport"),
    _field("intensity.max_poi_per_day", "scalar", "cap", -2, "global", "intensity"),
    _field("intensity.max_active_hours", "scalar", "cap", -2, "global", "intensity"),
    _field("hotel_preference.prefer", "list", "prefer", 1, "global", "hotel"),
    _field("hotel_preference.avoid", "list", "avoid", -1, "global", "hotel"),
)
CITY_FIELDS = (
    _field("attractions.must_visit", "list", "must", 2, "city", "attraction_name"),
    _field("attractions.reject_visit", "list", "reject", -2, "city", "attraction_name"),
    _field("attractions.category_pref.positive", "list", "prefer", 1, "city", "attraction_category"),
    _field("attractions.category_pref.negative", "list", "avoid", -1, "city", "attraction_category"),
    _field("food.must_eat", "list", "must", 2, "city", "food"),
    _field("food.prefer_eat", "list", "prefer", 1, "city", "food"),
    _field("food.avoid_eat", "list", "avoid", -1, "city", "food"),
    _field("food.reject_eat", "list", "reject", -2, "city", "food"),
)
FIELDS = GLOBAL_FIELDS + CITY_FIELDS
FIELD = {".".join(field.keys): field for field in FIELDS}
"""By the path below its root."""

_GLOBAL_PATHS = frozenset(f.path for f in GLOBAL_FIELDS)
_CITY_TAILS = frozenset(".".join(f.keys) for f in CITY_FIELDS)


def is_schema_path(path: str, cities: Collection[str]) -> bool:
    """Whether the full dotted `path` names a field of the schema, its city being one of `cities`.

    A group of fields (`global_constraints.transport`) is no field.
    """
    if path in _GLOBAL_PATHS:
        return True
    root, _, rest = path.partition(".")
    if root != CITY_ROOT:
        return False
    return any(rest.startswith(f"{city}.") and rest[len(city) + 1 :] in _CITY_TAILS for city in cities)


# Lenient reading of a raw preference table: a missing or misshapen part reads as absent, no value is coerced.


FieldValues = dict[str, dict[PreferenceField, Any]]
FilledFields = list[tuple[PreferenceField, str, Any]]


def read(table: Any, field: PreferenceField, city: str = "") -> Any:
    """The raw value of `field` (for `city`, where it belongs to one); None when any part of the way is missing."""
    if field.scope == "global":
        return descend(part(table, GLOBAL_ROOT), field.keys)
    return descend(part(part(table, CITY_ROOT), city), field.keys)


def cities(table: Any) -> tuple[str, ...]:
    """The cities that the table speaks about, in its own order."""
    by_city = part(table, CITY_ROOT)
    return tuple(by_city) if isinstance(by_city, dict) else ()


def part(node: Any, key: str) -> Any:
    """`node[key]`, or None when `node` is not an object or has no such key."""
    return node.get(key) if isinstance(node, dict) else None


def descend(node: Any, keys: Iterable[str]) -> Any:
    """Follow `keys` down from `node`; None when the way ends early."""
    for key in keys:
        if not isinstance(node, dict):
            return None
        node = node.get(key)
    return node


def number(value: Any) -> float | None:
    """A finite limit above zero, else None: a missing, zero or misshapen cap limits nothing."""
    return value if isinstance(value, (int, float)) and 0 < value < float("inf") else None


def filled_fields(table: Any) -> FilledFields:
    """Every non-empty field as (field, city or "", raw value), global ones first; 0 and "" count as empty."""
    return [
        (field, city, value) for city, held in filled_by_city(table).items() for field, value in held.items()
    ]


def filled_by_city(table: Any) -> FieldValues:
    """The raw values of all non-empty fields by city (global ones under "") and field."""
    held = {"": _fields_below(part(table, GLOBAL_ROOT), GLOBAL_OBJECTS)}
    for city in cities(table):
        fields = _fields_below(table[CITY_ROOT][city], CITY_OBJECTS)
        held[city] = fields if city else fields | held[city]
    return held


class TableObject(NamedTuple):
    """One object of a table: which of those before it holds it, under which key, and its own fields by key.

    kind: that of all of its fields.
    """

    above: int
    key: str
    kind: Kind
    leaves: tuple[tuple[str, PreferenceField], ...]


def _objects(fields: Sequence[PreferenceField]) -> tuple[TableObject, ...]:
    """Every object that holds some of `fields`, the root first and each before those below it."""
    ways = dict.fromkeys(field.keys[:depth] for field in fields for depth in range(len(field.keys)))
    places = {way: at for at, way in enumerate(ways)}
    return tuple(_object(way, places[way[:-1]], [f for f in fields if f.keys[:-1] == way]) for way in ways)


def _object(way: Sequence[str], above: int, fields: Sequence[PreferenceField]) -> TableObject:
    kind = fields[0].kind if fields else "list"
    return TableObject(above, way[-1] if way else "", kind, tuple((f.keys[-1], f) for f in fields))


GLOBAL_OBJECTS, CITY_OBJECTS = _objects(GLOBAL_FIELDS), _objects(CITY_FIELDS)


def _fields_below(root: Any, objects: Iterable[TableObject]) -> dict[PreferenceField, Any]:
    """The non-empty fields below `root`; every object in it is looked up once."""
    fields: dict[PreferenceField, Any] = {}
    nodes: list[dict[str, Any]] = []
    for above, key, _, leaves in objects:
        node = nodes[above].get(key) if nodes else root
        if not isinstance(node, dict):
            node = _NOTHING
        nodes.append(node)
        if leaves and any(node.values()):  # most objects hold empty lists alone
            get = node.get
            for name, field in leaves:
                if value := get(name):
                    fields[field] = value
    return fields


_NOTHING: dict[str, Any] = {}


def table_of(cities: Iterable[str], value: Callable[[PreferenceField, str], Any]) -> dict[str, Any]:
    """A table in the published shape and order, with the `value` of each field and city (or "").

    A field whose value is None is left out; the objects above it stay.
    """
    return {
        GLOBAL_ROOT: _write_fields(GLOBAL_FIELDS, "", value),
        CITY_ROOT: {city: _write_fields(CITY_FIELDS, city, value) for city in cities},
    }


def _write_fields(
    fields: Iterable[PreferenceField], city: str, value: Callable[[PreferenceField, str], Any]
) -> dict[str, Any]:
    root: dict[str, Any] = {}
    for field in fields:
        node = root
        for key in field.keys[:-1]:
            node = node.setdefault(key, {})
        if (held := value(field, city)) is not None:
            node[field.keys[-1]] = held
    return root


# Where the wishes of a group clash (GroupTravelBench, appendix A.9.3).


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
    return conflicts_between({user: filled_fields(table) for user, table in tables.items()})


def conflicts_between(held: Mapping[str, FilledFields]) -> list[Conflict]:
    """The same of what `filled_fields` gives of each traveller's table."""
    wishes = {user: _wishes(values) for user, values in held.items()}
    conflicts = []
    for liker, disliker in permutations(held, 2):
        wants, shuns = wishes[liker][True], wishes[disliker][False]
        for key, fields in wants.items():
            if key in shuns:
                conflicts.append(_conflict(key, liker, fields, disliker, shuns[key]))
    return conflicts


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


def _wishes(held: FilledFields) -> dict[bool, _Wishes]:
    """What is wanted (True) and what is not."""
    wishes_by_sign: dict[bool, _Wishes] = {True: {}, False: {}}
    for field, city, value in held:
        if field.kind == "list" and isinstance(value, list):
            wishes = wishes_by_sign[field.positive]
            for item in value:
                if isinstance(item, str):
                    wishes.setdefault((field.topic, city, item), []).append(field)
    return wishes_by_sign
