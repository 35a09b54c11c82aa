"""Sights and restaurants as the search sees them: what each traveller gains, how long, when open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import lru_cache

from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.planning.geography import Atlas, centre
from benchmark.suites.grouptravel.agent.planning.hours import Window, windows_in_text, windows_of
from benchmark.suites.grouptravel.agent.planning.knowledge import Knowledge, Place
from benchmark.suites.grouptravel.agent.planning.tastes import Taste
from benchmark.text import guarded
from sandbox.worlds.geo import Point

BREAKFAST, LUNCH, TEA, DINNER = range(4)
USUAL_STAY = (90, 150)
MEAL_MINUTES, SNACK_MINUTES = 60, 45
_SHORTEST_STAY = 30
_USUAL_MEAL_CNY = 60.0
_EXACT = 0.15
_MORNING = guarded.compile("小吃|快餐|早|面|粉|粥|茶|包子|豆|咖啡|面包|甜品|馄饨|饼|汤")
_LIGHT = guarded.compile("面包|甜点|甜品|咖啡|茶馆|茶室|冷饮|冰淇淋|酒吧")
_WHOLE_DAY: tuple[Window, ...] = ((0, 48 * 60),)
_STEP = 5
"""Minutes: visits begin at full five after a place opens."""
_FALLBACK = {"旅游景点": "公园", "滑雪": "公园", "游客中心": "公园", "食堂": "中餐", "米粉": "中餐"}


@dataclass(frozen=True, slots=True)
class Length:
    """Kind of sight by its name. least, most: minutes that a visit may take, shortest and longest."""

    name: guarded.Pattern
    least: int
    most: int


def _length(least: int, most: int, name: str) -> Length:
    return Length(guarded.compile(name, guarded.IGNORECASE), least, most)


_KINDS = (
    _length(
        45,
        120,
        r"缆车|索道|滑道|滑索|摩天轮|过山车|观光车|游船|游览|夜游|画舫|观光(?:厅|层|廊|隧道)|玻璃桥"
        r"|\bcruise|\bcable car",
    ),
    _length(
        240,
        480,
        r"欢乐谷$|欢乐世界$|迪士尼|环球(?:影城|度假区)|方特|长隆(?!.*(?:马戏|酒店))|海洋王国|世界之窗$|华侨城$|锦绣中华|主题(?:公园|乐园)$"
        r"|恐龙园$|游乐园$|休博园|宋城$|\b(?:theme|amusement) park|disney|universal studios",
    ),
    _length(180, 360, r"野生动物(?:园|世界)|森林动物|\bsafari"),
    _length(
        120,
        300,
        r"动物园|海洋公园|极地|海底世界|水族馆|海洋馆|繁育(?:研究)?基地|水上?乐园|乐园$|\bzoo\b|aquarium",
    ),
    _length(150, 360, r"长城(?!.*博物馆)|雪山|峡谷|青城山|都江堰|华山|黄山|泰山|峨眉|武隆|滑雪|\bgreat wall"),
    _length(
        150,
        300,
        r"故宫博物院|颐和园$|圆明园|避暑山庄|兵马俑|布达拉宫|莫高窟|国家博物馆$|\b(?:forbidden city|summer palace)",
    ),
    _length(120, 360, r"古镇|水乡|^(?:周庄|同里|乌镇|西塘|朱家角|甪直)$|\bwater town"),
    _length(60, 300, r"(?:森林|地质|湿地)公园|风景名胜区|度假区|植物园|博物院|科技馆|科学中心|天文馆|^西湖"),
    _length(45, 210, r"博物馆|纪念馆|美术馆|艺术馆|展览馆|陈列馆|museum|gallery"),
    _length(60, 240, r"[山湖]$|大学|校区|古城|景区$|湿地"),
    _length(30, 180, r"[寺庙宫观庵园祠陵]$|书院|故居|教堂|清真寺|公园|园林|temple|garden|church"),
    _length(45, 180, r"[街巷路坊]$|[江外]滩|广场|步行街|老街|胡同|码头|江边|street|square|bund"),
    _length(45, 120, r"[塔楼]$|明珠|之巅|金茂大厦|上海中心"),
    _length(30, 90, r"[门殿桥亭阁碑堤舫坞]$|雕像|牌坊|瓮城|\b(?:gate|bridge|pavilion|hall|pagoda|statue)$"),
)
"""The first that matches counts."""
_OTHER = Length(guarded.compile(""), 45, 240)
_AMUSEMENT = Length(guarded.compile("主题公园|游乐园"), 60, 300)


def visit_minutes(place: Place) -> tuple[int, int]:
    """The shortest and the longest sensible visit, in steps of five minutes."""
    kind = _kind(place.name, place.category)
    low, high = USUAL_STAY
    if place.stay_hours is not None:
        low, high = (round(hours * 12) * 5 for hours in place.stay_hours)
    shortest = min(max(low, kind.least), kind.most)
    return shortest, min(max(high, shortest), kind.most)


@lru_cache(maxsize=8192)
def _kind(name: str, category: str) -> Length:
    name = guarded.sub(r"[(（][^()（）]*[)）]$", "", name).strip()
    kind_named = next((kind for kind in _KINDS if kind.name.search(name)), None)
    return kind_named or (_AMUSEMENT if _AMUSEMENT.name.search(category) else _OTHER)


@lru_cache(maxsize=8192)
def _holds(pattern: guarded.Pattern, text: str) -> bool:
    return pattern.search(text) is not None


@dataclass(frozen=True, slots=True)
class Spot:
    """A sight or a restaurant in a city.

    node: its number in the atlas. stay, longest: minutes. windows: by day of the trip, None where not limited.
    points: by traveller, for a visit (category) or a meal. must, reject: by traveller, bits of the items of
    that traveller's lists which its name satisfies. cost: CNY a person. appeal: a small liking of our own.
    gains, gain: utility by traveller and of all if this is the first to satisfy what it satisfies.
    named: whether an item of anybody's lists names it. openings: as `windows`, each from the first minute at which a
    visit may begin, and one that holds the whole day where nothing limits it. meals: those that people take there.
    light: cake or coffee, no meal. part: seen only together
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
    openings: tuple[tuple[Window, ...], ...] = field(init=False)
    meals: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        gains = tuple(
            points + 2 * must.bit_count() - 2 * reject.bit_count()
            for points, must, reject in zip(self.points, self.must, self.reject, strict=True)
        )
        object.__setattr__(self, "gains", gains)
        object.__setattr__(self, "gain", sum(gains))
        object.__setattr__(self, "named", any(self.must) or any(self.reject))
        object.__setattr__(self, "openings", tuple(_openings(windows) for windows in self.windows))
        object.__setattr__(self, "meals", _meals(self.light, self.morning) if self.meal else ())


def _openings(windows: tuple[Window, ...] | None) -> tuple[Window, ...]:
    if windows is None:
        return _WHOLE_DAY
    return tuple((-(-opens // _STEP) * _STEP, closes) for opens, closes in windows)


def _meals(light: bool, morning: bool) -> tuple[int, ...]:
    """The meals that people take in such a restaurant."""
    if light:
        return (BREAKFAST, TEA)
    return (BREAKFAST, LUNCH, DINNER) if morning else (LUNCH, DINNER)


def category_of(place: Place) -> str:
    """The category that the scorer's rules see."""
    if not place.category:
        return {"restaurant": "中餐", "hotel": "商务酒店"}.get(place.kind, "公园")
    return _FALLBACK.get(place.category, place.category)


def places_in(known: Knowledge, city: str) -> list[Place]:
    """The known places of a city, one a name and kind, in the order they were learnt."""
    distinct: dict[tuple[str, str], Place] = {}
    for key, places_of_city in known.places.items():
        if key == city or (len(key) > 1 and (city.startswith(key) or key.startswith(city))):
            for place in places_of_city.values():
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
    wished = _wished_names(city, tastes)
    visited = [p for p in _with_hours(places, wished) if p.kind == "attraction" or _named(p, wished)]
    eaten = [p for p in places if p.kind == "restaurant" and p not in visited]
    names = frozenset(p.name for p in visited)
    spots = [_sight(p, city, tastes, dates, atlas, middle, names) for p in visited]
    spots += [_meal(p, city, tastes, dates, atlas, middle) for p in eaten]
    return tuple(sorted(spots, key=lambda spot: (-spot.gain, -spot.appeal, spot.place.name)))


def _wished_names(city: str, tastes: Iterable[Taste]) -> tuple[str, ...]:
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
        appeal=0.02 * place.rating + (_EXACT if place.name in _wished_names(city, tastes) else 0.0),
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
    light = _holds(_LIGHT, cuisine)
    return Spot(
        place=place,
        meal=True,
        morning=_holds(_MORNING, f"{cuisine} {place.name}"),
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
