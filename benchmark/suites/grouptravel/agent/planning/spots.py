"""Sights and restaurants as the search sees them: what each traveller gains, how long, when open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.planning.geography import Atlas, Point, centre
from benchmark.suites.grouptravel.agent.planning.hours import Window, windows_in_text, windows_of
from benchmark.suites.grouptravel.agent.planning.knowledge import Knowledge, Place
from benchmark.suites.grouptravel.agent.planning.tastes import Taste
from benchmark.suites.grouptravel.agent.planning.visits import visit_minutes
from benchmark.text import guarded

MEAL_MINUTES, SNACK_MINUTES = 60, 45
_SHORTEST_STAY = 30
_USUAL_MEAL_CNY = 60.0
_EXACT = 0.15
_MORNING = guarded.compile("小吃|快餐|早|面|粉|粥|茶|包子|豆|咖啡|面包|甜品|馄饨|饼|汤")
_LIGHT = guarded.compile("面包|甜点|甜品|咖啡|茶馆|茶室|冷饮|冰淇淋|酒吧")
_FALLBACK = {"旅游景点": "公园", "滑雪": "公园", "游客中心": "公园", "食堂": "中餐", "米粉": "中餐"}


@dataclass(frozen=True, slots=True)
class Spot:
    """A sight or a restaurant in a city.

    node: its number in the atlas. stay, longest: minutes. windows: by day of the trip, None where not limited.
    points: by traveller, for a visit (category) or a meal. must, reject: by traveller, bits of the items of
    that traveller's lists which its name satisfies. cost: CNY a person. appeal: a small liking of our own.
    gains, gain: utility by traveller and of all if this is the first to satisfy what it satisfies.
    named: whether an item of anybody's lists names it. light: cake or coffee, no meal. part: seen only together
    with the sight that holds it, of which `parts` are such spots (indexes).
    """

    place: Place
    meal: bool
    morning: bool
    node: int
    stay: int
    longest: int
    windows: tuple[tuple[Window, ...] | None, ...]
    points: tuple[int, ...]
    must: tuple[int, ...]
    reject: tuple[int, ...]
    cost: float
    appeal: float
    light: bool = False
    part: bool = False
    parts: tuple[int, ...] = ()
    gains: tuple[int, ...] = field(init=False)
    gain: int = field(init=False)
    named: bool = field(init=False)

    def __post_init__(self) -> None:
        gains = tuple(
            points + 2 * must.bit_count() - 2 * reject.bit_count()
            for points, must, reject in zip(self.points, self.must, self.reject, strict=True)
        )
        object.__setattr__(self, "gains", gains)
        object.__setattr__(self, "gain", sum(gains))
        object.__setattr__(self, "named", any(self.must) or any(self.reject))


def category_of(place: Place) -> str:
    """The category that the scorer's rules see."""
    if not place.category:
        return {"restaurant": "中餐", "hotel": "商务酒店"}.get(place.kind, "公园")
    return _FALLBACK.get(place.category, place.category)


def places_in(known: Knowledge, city: str) -> list[Place]:
    """The known places of a city, one a name and kind, in the order they were learnt."""
    distinct: dict[tuple[str, str], Place] = {}
    for key, found in known.places.items():
        if key == city or (len(key) > 1 and (city.startswith(key) or key.startswith(city))):
            for place in found.values():
                before = distinct.get((place.name, place.kind))
                if before is None or (place.detailed and not before.detailed):
                    distinct[(place.name, place.kind)] = place
    return list(distinct.values())


def spots_of(
    brief: Brief, city: str, tastes: Sequence[Taste], known: Knowledge, atlas: Atlas
) -> tuple[Spot, ...]:
    """Every sight and restaurant worth a thought, best gain first; sights named by travellers always."""
    places = places_in(known, city)
    middle = centre(place.point for place in places if place.point) or known.points.get(city)
    dates = tuple(brief.start + timedelta(days=day) for day in range(brief.days))
    wished = _wished(city, tastes)
    visited = [p for p in _with_hours(places, wished) if p.kind == "attraction" or _named(p, wished)]
    eaten = [p for p in places if p.kind == "restaurant" and p not in visited]
    names = frozenset(p.name for p in visited)
    spots = [_sight(p, city, tastes, dates, atlas, middle, names) for p in visited]
    spots += [_meal(p, city, tastes, dates, atlas, middle) for p in eaten]
    return tuple(sorted(spots, key=lambda spot: (-spot.gain, -spot.appeal, spot.place.name)))


def _wished(city: str, tastes: Iterable[Taste]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for taste in tastes for name in taste.of(city).must_visit))


def _with_hours(places: Sequence[Place], wished: Iterable[str]) -> list[Place]:
    """Without the sights whose hours nobody looked up, once those of others are known; named ones stay."""
    if not any(place.detailed for place in places):
        return list(places)
    return [
        p for p in places if p.detailed or p.kind != "attraction" or any(name in p.name for name in wished)
    ]


def _named(place: Place, wished: Iterable[str]) -> bool:
    return place.kind == "landmark" and any(name in place.name for name in wished)


def _sight(
    place: Place,
    city: str,
    tastes: Sequence[Taste],
    dates: Sequence[date],
    atlas: Atlas,
    middle: Point | None,
    names: frozenset[str],
) -> Spot:
    """names: of all sights of the city. A wish is kept by the sight of just that name, where there is one."""
    must = tuple(_bits(taste.of(city).must_visit, place.name, names) for taste in tastes)
    reject = tuple(_bits(taste.of(city).reject_visit, place.name) for taste in tastes)
    category = category_of(place)
    points = tuple(
        0
        if reject[u] or _bits(taste.of(city).must_visit, place.name)
        else taste.sight_points(city, place.name, category)
        for u, taste in enumerate(tastes)
    )
    windows = _windows(place, dates)
    stay, longest = _stay(place, windows)
    return Spot(
        place=place,
        meal=False,
        morning=False,
        node=atlas.add(place.name, place.point or middle),
        stay=stay,
        longest=longest,
        windows=windows,
        points=points,
        must=must,
        reject=reject,
        cost=place.price or 0.0,
        appeal=0.02 * place.rating + (_EXACT if place.name in _wished(city, tastes) else 0.0),
    )


def _meal(
    place: Place,
    city: str,
    tastes: Sequence[Taste],
    dates: Sequence[date],
    atlas: Atlas,
    middle: Point | None,
) -> Spot:
    cuisine = category_of(place)
    none = (0,) * len(tastes)
    light = bool(_LIGHT.search(cuisine))
    return Spot(
        place=place,
        meal=True,
        morning=bool(_MORNING.search(f"{cuisine} {place.name}")),
        node=atlas.add(place.name, place.point or middle),
        stay=SNACK_MINUTES if light else MEAL_MINUTES,
        longest=SNACK_MINUTES if light else MEAL_MINUTES,
        windows=_windows(place, dates),
        points=tuple(taste.meal_points(city, place.name, cuisine) for taste in tastes),
        must=none,
        reject=none,
        cost=_USUAL_MEAL_CNY if place.price is None else place.price,
        appeal=0.02 * place.rating - (0.05 if place.price is None else 0.0),
        light=light,
    )


def _bits(items: Iterable[str], name: str, names: frozenset[str] = frozenset()) -> int:
    """Bits of the items that a name satisfies; an item that is itself one of `names` is satisfied by that alone."""
    return sum(
        1 << index for index, item in enumerate(items) if item == name or (item in name and item not in names)
    )


def _stay(place: Place, windows: Iterable[tuple[Window, ...] | None]) -> tuple[int, int]:
    """What is sensible for the kind of sight, and no longer than it is open."""
    shortest, longest = visit_minutes(place)
    open_for = [closes - opens for spans in windows for opens, closes in spans or ()]
    whole = max(_SHORTEST_STAY, max(open_for, default=longest) // 5 * 5)
    return min(shortest, whole), min(longest, whole)


def _windows(place: Place, dates: Sequence[date]) -> tuple[tuple[Window, ...] | None, ...]:
    """By the structured hours, which are exact; by the words where a tool told nothing else."""
    if place.hours is not None:
        return tuple(windows_of(place.hours, day) for day in dates)
    return tuple(windows_in_text(place.hours_text, day) for day in dates)


def numbered_bits(spots: Iterable[Spot], shift: Sequence[int]) -> tuple[Spot, ...]:
    """Spots whose item bits are moved up, so that the bits of several cities never meet."""
    return tuple(
        replace(
            spot,
            must=tuple(bits << by for bits, by in zip(spot.must, shift, strict=True)),
            reject=tuple(bits << by for bits, by in zip(spot.reject, shift, strict=True)),
        )
        for spot in spots
    )
