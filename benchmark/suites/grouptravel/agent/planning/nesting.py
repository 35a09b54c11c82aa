"""Which sights lie inside another: the Hall of Supreme Harmony in the Forbidden City. A family is one visit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations

from benchmark.plans.ways import great_circle_km
from benchmark.suites.grouptravel.agent.planning.knowledge import Place
from benchmark.suites.grouptravel.agent.planning.spots import Spot
from benchmark.suites.grouptravel.agent.understanding.cities import short_names
from benchmark.text import guarded
from sandbox.worlds.geo import Point

_NEAR_KM, _WIDE_KM, _ROUTE_KM, _HOUSE_KM = 2.5, 5.0, 10.0, 0.6
_GROUNDS_KM, _COURT_KM, _SAME_KM = 0.8, 0.3, 0.35
_WIDE = guarded.compile(r"[湖山江河海岛]$|城墙|风景|景区|古镇|湿地|度假区|长城")
_ROUTE = guarded.compile(r"游船|夜游|游览|运河|两江游")
_HOUSE = guarded.compile(
    r"博物馆|图书馆|美术馆|艺术馆|纪念馆|大学|剧院|体育馆|陵园|museum|university", guarded.IGNORECASE
)
_GROUNDS = guarded.compile(
    r"故宫|[宫园坛陵寺庙]$|博物院$|公园|景区|风景名胜区|山庄|palace|temple|garden", guarded.IGNORECASE
)
_HALL = guarded.compile(
    r"[殿阁亭舫坞榭]$|^(?:午|神武|太和|乾清|东华|西华|坤宁)门$|\b(?:hall|pavilion)(?: of .*)?$",
    guarded.IGNORECASE,
)
_COURT = guarded.compile(r"殿$")
_BRANCH = guarded.compile(
    r"^[-·]?[(（]?.{0,3}(?:东|西|南|北|新|老|分|本|主)(?:馆|院|区|园)[)）]?$|校区[)）]?$|展区[)）]?$"
)
_DIRECTIONS = ("东", "西", "南", "北", "新", "老", "小")
_NIGHT = guarded.compile("夜|游")
_TITLES = guarded.compile(r"(?:国家|风景|名胜|文化|旅游|休闲|度假)*(?:景区|风景区|名胜区|旅游区|度假区)$")
_GENERIC = guarded.compile(
    r"^(?:野生)?(?:动物园|植物园|博物馆|博物院|大学|欢乐谷|图书馆|美术馆|海洋馆|城墙|公园|广场|古城|外滩|规划馆|科技馆|体育馆)"
)
_PALACES = {"故宫博物院": "故宫", "天坛公园": "天坛"}


@dataclass(frozen=True, slots=True)
class Sight:
    """What tells whether a place lies in another."""

    id: str
    name: str
    city: str
    point: Point | None
    price: float | None


def families(places: Iterable[Place]) -> Mapping[str, str]:
    """The id of every sight that belongs together with others, to the id of the one that holds them."""
    sights = (p for p in places if p.kind in {"attraction", "landmark"})
    return _families(tuple(Sight(p.id, p.name, p.city, p.point, p.price) for p in sights))


@lru_cache(maxsize=64)
def _families(sights: tuple[Sight, ...]) -> Mapping[str, str]:
    cores = {place.id: _core(place) for place in sights}
    halls = {place.id for place in sights if not place.price and _HALL.search(place.name)}
    above: dict[str, str] = {}
    for one, other in combinations(sights, 2):
        for outer, inner in ((one, other), (other, one)):
            close = inner.id in halls or cores[outer.id] in inner.name
            if close and inner.id not in above and _holds(outer, inner, cores[outer.id]):
                above[inner.id] = outer.id
                break
    return {
        place.id: _top(place.id, above) for place in sights if place.id in above or place.id in above.values()
    }


def _top(identity: str, above: Mapping[str, str]) -> str:
    seen = {identity}
    while identity in above and above[identity] not in seen:
        identity = above[identity]
        seen.add(identity)
    return identity


def _core(place: Sight) -> str:
    """What the names of its parts begin with or hold: 颐和园 of 北京颐和园, 虎丘山 of 虎丘山风景名胜区."""
    name = _PALACES.get(place.name) or _TITLES.sub("", place.name)
    short = next((short for short in short_names(place.city) if name.startswith(short)), "")
    rest = name.removeprefix(short)
    if len(rest) >= 3 and not _GENERIC.match(rest):
        return rest
    return name if len(name) >= 2 else place.name


def _holds(outer: Sight, inner: Sight, core: str) -> bool:
    if outer.point is None or inner.point is None or outer.name == inner.name:
        return False
    apart = great_circle_km(outer.point, inner.point)
    if core in inner.name and len(inner.name) > len(core):
        return not _is_branch(inner, core, apart) and apart <= _reach(outer, inner)
    return _is_hall_of(outer, inner, apart)


def _is_branch(inner: Sight, core: str, apart: float) -> bool:
    """上海博物馆 and its east wing across the river are two visits; so are two places of equal standing."""
    before, _, rest = inner.name.partition(core)
    if before and not rest and apart > _SAME_KM and not _NIGHT.search(before):
        return True
    if before.endswith(_DIRECTIONS):
        return True
    return apart > 0.3 and bool(_BRANCH.search(rest))


def _reach(outer: Sight, inner: Sight) -> float:
    if _ROUTE.search(outer.name):
        return _ROUTE_KM
    if _HOUSE.search(inner.name) and not _HOUSE.search(outer.name):
        return _HOUSE_KM
    return _WIDE_KM if _WIDE.search(outer.name) else _NEAR_KM


def _is_hall_of(outer: Sight, inner: Sight, apart: float) -> bool:
    """A hall or a pavilion without a ticket of its own, in the grounds of a palace, a park or a temple."""
    if inner.price or not _HALL.search(inner.name):
        return False
    if _COURT.search(outer.name) and _COURT.search(inner.name):
        return apart <= _COURT_KM
    return bool(_GROUNDS.search(outer.name)) and not _HALL.search(outer.name) and apart <= _GROUNDS_KM


def as_families(spots: Sequence[Spot], places: Iterable[Place]) -> tuple[Spot, ...]:
    """One visit for each family: parts that a must names follow the sight that holds them, the others go.

    A part is never a spot to choose; `parts` of the one that holds it is its place in the result.
    """
    kin = families(places)
    groups: dict[str, list[Spot]] = {}
    for spot in spots:
        if not spot.meal and spot.place.id in kin:
            groups.setdefault(kin[spot.place.id], []).append(spot)
    kept: list[Spot] = []
    chosen = {top: _family_visits(top, group) for top, group in groups.items()}
    members = {spot.place.id: top for top, group in groups.items() for spot in group}
    for spot in spots:
        top = members.get(spot.place.id)
        if spot.meal or top is None or spot is chosen[top][0]:
            kept.append(spot)
    for base, *parts in chosen.values():
        if parts:
            at = next(index for index, spot in enumerate(kept) if spot is base)
            kept[at] = _with_parts(base, parts, len(kept))
            kept += [replace(part, part=True) for part in parts]
    return tuple(kept)


def _family_visits(top: str, group: Sequence[Spot]) -> list[Spot]:
    """The visit that stands for the family, then the parts that fulfil wishes which it does not."""
    named = [spot for spot in group if any(spot.must)]
    whole = [spot for spot in group if spot.place.id == top]
    welcome = [spot for spot in whole if spot.gain >= 0]
    ranked = sorted(named, key=lambda spot: (-_bits(spot.must), -spot.gain))
    base = next(
        iter([*(spot for spot in whole if any(spot.must)), *ranked, *welcome, *sorted(group, key=_worth)])
    )
    parts: list[Spot] = []
    for spot in ranked:
        if any(bits & ~held for bits, held in zip(spot.must, _indices([base, *parts]), strict=True)):
            parts.append(spot)
    return [base, *parts]


def _worth(spot: Spot) -> float:
    return -spot.gain - spot.appeal


def _bits(must: Iterable[int]) -> int:
    return sum(bits.bit_count() for bits in must)


def _indices(spots: Sequence[Spot]) -> tuple[int, ...]:
    held = [0] * len(spots[0].must)
    for spot in spots:
        held = [a | b for a, b in zip(held, spot.must, strict=True)]
    return tuple(held)


def _with_parts(base: Spot, parts: Sequence[Spot], first: int) -> Spot:
    return replace(base, must=_indices([base, *parts]), parts=tuple(range(first, first + len(parts))))
