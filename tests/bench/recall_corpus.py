"""A dense cache to look for similar calls in, and calls that just miss it.

Everything is made up from lists of words by a seed. What makes retrieval hard is there on purpose: chains with many
branches, the same search around neighbouring places, with other radii and pages; routes between all pairs of a few
places; the same trip on nearly every day of a month.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import count, permutations
from math import cos, pi, sin
from typing import Any

Arguments = dict[str, Any]

SHARES = {
    "search_poi": 86_000,
    "plan_route": 47_000,
    "web_search": 47_000,
    "get_poi_detail": 24_000,
    "maps_geo": 18_000,
    "travel_search_trains": 11_000,
    "maps_weather": 8_000,
    "compare_routes": 7_000,
    "travel_search_flights": 5_000,
    "search_along_route": 259,
}
"""Entries by tool: the three largest and the smallest as published (paper B.5), the rest in between."""

CITIES = {
    name: (lon, lat)
    for name, lon, lat in (
        *(("北京", 116.40, 39.91), ("上海", 121.47, 31.23), ("广州", 113.26, 23.13), ("深圳", 114.06, 22.54)),
        *(("杭州", 120.16, 30.25), ("南京", 118.79, 32.06), ("苏州", 120.62, 31.30), ("成都", 104.07, 30.66)),
        *(("重庆", 106.55, 29.56), ("武汉", 114.30, 30.59), ("西安", 108.94, 34.34), ("长沙", 112.94, 28.23)),
        *(("厦门", 118.09, 24.48), ("福州", 119.30, 26.08), ("青岛", 120.38, 36.07), ("济南", 117.00, 36.65)),
        *(("天津", 117.20, 39.08), ("大连", 121.61, 38.91), ("沈阳", 123.43, 41.80), ("长春", 125.32, 43.82)),
        *(
            ("哈尔滨", 126.53, 45.80),
            ("昆明", 102.83, 24.88),
            ("大理", 100.23, 25.59),
            ("丽江", 100.23, 26.86),
        ),
        *(("贵阳", 106.63, 26.65), ("桂林", 110.29, 25.27), ("海口", 110.20, 20.04), ("三亚", 109.51, 18.25)),
        *(("万宁", 110.39, 18.80), ("洛阳", 112.45, 34.62), ("郑州", 113.62, 34.75), ("合肥", 117.23, 31.82)),
        *(("南昌", 115.86, 28.68), ("黄山", 118.34, 29.71), ("宁波", 121.55, 29.87), ("无锡", 120.31, 31.49)),
        *(
            ("兰州", 103.83, 36.06),
            ("西宁", 101.78, 36.62),
            ("银川", 106.23, 38.49),
            ("乌鲁木齐", 87.62, 43.83),
        ),
    )
}
_BRANDS = [
    "海底捞",
    "小龙坎",
    "外婆家",
    "绿茶",
    "新白鹿",
    "楼外楼",
    "知味观",
    "太二",
    "西贝",
    "喜家德",
    "全季",
    "汉庭",
    "如家",
    "亚朵",
    "锦江之星",
    "桔子",
    "星巴克",
    "瑞幸",
    "老乡鸡",
    "陶陶居",
]
_TRADES = ["火锅", "川菜馆", "酸菜鱼", "烤鸭店", "面馆", "茶餐厅", "酒店", "咖啡馆", "烧烤", "小吃店"]
_FIRST = [
    "青龙",
    "白鹤",
    "紫金",
    "望江",
    "听泉",
    "云栖",
    "玉泉",
    "凤凰",
    "太子",
    "栖霞",
    "翠屏",
    "鼓山",
    "天台",
    "九华",
    "梅岭",
    "石塘",
    "竹海",
    "南岭",
    "北固",
    "金鸡",
]
_SIGHTS = ["公园", "博物馆", "古镇", "寺", "湖", "山风景区", "步行街", "纪念馆", "植物园", "老街"]
_DISTRICTS = [
    "城东",
    "城西",
    "滨江",
    "新区",
    "老城",
    "高新",
    "湖滨",
    "火车站",
    "大学城",
    "会展中心",
    "南门",
    "北站",
]
_KEYWORDS = [
    "景点",
    "美食",
    "酒店",
    "火锅",
    "川菜",
    "粤菜",
    "小吃",
    "咖啡",
    "烧烤",
    "海鲜",
    "面馆",
    "早餐",
    "自助餐",
    "素食",
    "民宿",
    "青年旅舍",
    "五星级酒店",
    "经济型酒店",
    "亲子酒店",
    "博物馆",
    "公园",
    "古镇",
    "寺庙",
    "动物园",
    "植物园",
    "游乐园",
    "海洋馆",
    "美术馆",
    "步行街",
    "夜市",
    "商场",
    "超市",
    "停车场",
    "充电站",
    "加油站",
    "药店",
    "医院",
    "地铁站",
    "火车站",
    "温泉",
    "滑雪场",
    "书店",
    "酒吧",
    "茶馆",
    "电影院",
    "剧院",
    "KTV",
    "健身房",
    "免税店",
    "特产店",
]
_TWO_WORDS = ["亲子", "江景", "网红", "老字号", "平价", "24小时", "观景", "本地"]
_TOPICS = [
    "门票价格",
    "开放时间",
    "预约攻略",
    "最佳游玩时间",
    "停车费用",
    "优惠政策",
    "老人免票",
    "交通指南",
    "一日游路线",
    "附近美食推荐",
    "拍照机位",
    "客流量",
    "夜景",
    "学生票",
    "灯光秀时间",
]
_STREETS = ["解放路", "中山路", "人民路", "建设大道", "滨江路", "文化街", "和平路", "学院路"]
_RADII_KM = (0.3, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 8.0, 10.0, 20.0)
_MODES = ("transit", "driving", "walking", "bicycling")


@dataclass(frozen=True, slots=True)
class Place:
    """Something with a name, where it is in degrees, and the district it is in."""

    name: str
    district: str
    longitude: float
    latitude: float

    @property
    def point(self) -> str:
        """ "lon,lat" with six decimals."""
        return f"{self.longitude:.6f},{self.latitude:.6f}"


class Corpus:
    """Distinct calls of each tool, as published keys' arguments; `size` is that of search_poi."""

    def __init__(self, seed: int, size: int) -> None:
        self.chance = random.Random(seed)
        self.places = {city: self._places(city, max(60, size // 200)) for city in CITIES}
        share = size / SHARES["search_poi"]
        makers: dict[str, Callable[[], Iterator[Arguments]]] = {
            "search_poi": self._search_poi,
            "plan_route": lambda: self._routes("plan_route"),
            "web_search": self._web_search,
            "get_poi_detail": self._details,
            "maps_geo": self._geo,
            "travel_search_trains": lambda: self._trips("high_speed", "regular"),
            "maps_weather": self._weather,
            "compare_routes": lambda: self._routes("compare_routes"),
            "travel_search_flights": self._trips,
            "search_along_route": lambda: self._routes("search_along_route"),
        }
        self.calls = {
            tool: self._distinct(makers[tool](), max(259, round(entries * share)))
            for tool, entries in SHARES.items()
        }

    def _distinct(self, made: Iterator[Arguments], wanted: int) -> list[Arguments]:
        found: dict[str, Arguments] = {}
        for tries, arguments in zip(count(), made, strict=False):
            found.setdefault(str(sorted(arguments.items())), arguments)
            if len(found) == wanted or tries > 20 * wanted:
                break
        return list(found.values())

    def _places(self, city: str, wanted: int) -> list[Place]:
        """Districts a few kilometres apart; within one, places 100 to 300 m from the one before."""
        centre = CITIES[city]
        places: list[Place] = []
        while len(places) < wanted:
            district = self.chance.choice(_DISTRICTS)
            lon, lat = (at + self.chance.gauss(0, 0.06) for at in centre)
            for _ in range(12):
                lon, lat = moved_point(self.chance, lon, lat, self.chance.uniform(100, 300))
                places.append(Place(self._name(district), district, lon, lat))
        return places

    def _name(self, district: str) -> str:
        one = self.chance.choice
        if self.chance.random() < 0.5:
            return f"{one(_BRANDS)}{one(_TRADES)}({district}{one(('', '一', '二', '三'))}店)"
        return one(_FIRST) + one(_FIRST) * (self.chance.random() < 0.3) + one(_SIGHTS)

    def _keywords(self) -> str:
        word = self.chance.choice(_KEYWORDS)
        return f"{word} {self.chance.choice(_TWO_WORDS)}" if self.chance.random() < 0.35 else word

    def _search_poi(self) -> Iterator[Arguments]:
        """One search in one city, by page and order, or around each of some neighbouring places by radius."""
        while True:
            city = self.chance.choice(list(CITIES))
            base: Arguments = {"keywords": self._keywords(), "city": city}
            if self.chance.random() < 0.3:
                yield from self._in_city(base)
                continue
            start = self.chance.randrange(len(self.places[city]) - 4)
            for place in self.places[city][start : start + 4]:
                yield from self._searches_around(base, place)

    def _in_city(self, base: Arguments) -> Iterator[Arguments]:
        region = {"region": self.chance.choice(_DISTRICTS)} if self.chance.random() < 0.5 else {}
        for page in range(1, self.chance.randint(2, 5)):
            yield base | region | {"page": page}
            yield base | region | {"page": page, "sort_by": self.chance.choice(("rating", "price_low"))}
        yield base | region | {"price_max": float(self.chance.choice((50, 100, 200, 300, 500)))}

    def _searches_around(self, base: Arguments, place: Place) -> Iterator[Arguments]:
        location = place.point if self.chance.random() < 0.75 else place.name
        often_asked = self.chance.random() < 0.15
        for radius in self.chance.sample(_RADII_KM, 8 if often_asked else self.chance.randint(1, 3)):
            yield base | {"location": location, "radius_km": radius}
            if self.chance.random() < 0.4:
                yield base | {"location": location, "radius_km": radius, "page": self.chance.randint(1, 3)}

    def _routes(self, tool: str) -> Iterator[Arguments]:
        """Every ordered pair of six neighbouring places, by coordinates or by name."""
        while True:
            city = self.chance.choice(list(CITIES))
            start = self.chance.randrange(len(self.places[city]) - 6)
            by_name = self.chance.random() < 0.4
            for origin, destination in permutations(self.places[city][start : start + 6], 2):
                ends = [each.name if by_name else each.point for each in (origin, destination)]
                base: Arguments = {"origin": ends[0], "destination": ends[1], "city": city}
                yield from self._ways(tool, base)

    def _ways(self, tool: str, base: Arguments) -> Iterator[Arguments]:
        if tool == "compare_routes":
            yield base
        elif tool == "search_along_route":
            for metres in self.chance.sample((200, 500, 1000, 2000), 2):
                yield base | {"keywords": self._keywords(), "mode": "driving", "route_range": metres}
        else:
            for mode in self.chance.sample(_MODES, self.chance.randint(1, 2)):
                when = {"date": self._day(), "time": "09:00"} if self.chance.random() < 0.2 else {}
                yield base | {"mode": mode} | when

    def _day(self) -> str:
        return (date(2026, 5, 1) + timedelta(self.chance.randrange(30))).isoformat()

    def _trips(self, *filters: str) -> Iterator[Arguments]:
        """A pair of cities on about 25 of 30 days, perhaps with a filter."""
        while True:
            origin, destination = self.chance.sample(list(CITIES), 2)
            base: Arguments = {"origin": origin, "destination": destination}
            if filters and self.chance.random() < 0.4:
                base["train_type_filter"] = self.chance.choice(filters)
            if self.chance.random() < 0.2:
                base |= {
                    "depart_time_start": "08:00",
                    "depart_time_end": self.chance.choice(("12:00", "18:00")),
                }
            first = date(2026, 5, 1) + timedelta(self.chance.randrange(60))
            for day in range(30):
                if self.chance.random() < 0.83:
                    yield base | {"date": (first + timedelta(day)).isoformat()}

    def _weather(self) -> Iterator[Arguments]:
        while True:
            city = self.chance.choice(list(CITIES))
            place = self.chance.choice(self.places[city])
            location = self.chance.choice((city, f"{city}{place.district}", place.point))
            first = date(2026, 5, 1) + timedelta(self.chance.randrange(60))
            for day in self.chance.sample(range(30), 12):
                yield {
                    "location": location,
                    "date": (first + timedelta(day)).isoformat(),
                    "days": self.chance.choice((0, 3)),
                }

    def _geo(self) -> Iterator[Arguments]:
        while True:
            city = self.chance.choice(list(CITIES))
            place = self.chance.choice(self.places[city])
            street = f"{place.district}区{self.chance.choice(_STREETS)}{self.chance.randint(1, 300)}号"
            address = self.chance.choice((place.name, street, f"{place.name} {street}"))
            yield (
                {"address": address, "city": city}
                if self.chance.random() < 0.7
                else {"address": city + address}
            )

    def _details(self) -> Iterator[Arguments]:
        letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        while True:
            yield {"id": "B0" + "".join(self.chance.choices(letters, k=8))}

    def _web_search(self) -> Iterator[Arguments]:
        while True:
            city = self.chance.choice(list(CITIES))
            place = self.chance.choice(self.places[city])
            for topic in self.chance.sample(_TOPICS, 3):
                tail = self.chance.choice(("", " 2026", " 2025", f" {self._day()}"))
                yield {"query": f"{city} {place.name} {topic}{tail}"}
            yield {"query": f"{city}{self.chance.randint(1, 7)}日游攻略 {self._keywords()}"}


def moved_point(
    chance: random.Random, longitude: float, latitude: float, metres: float
) -> tuple[float, float]:
    """A point that many metres off in a random direction."""
    turn = chance.uniform(0, 2 * pi)
    east = metres * cos(turn) / (111_195 * cos(latitude * pi / 180))
    return longitude + east, latitude + metres * sin(turn) / 111_195


Change = Callable[[random.Random, Mapping[str, Any]], Arguments | None]

_TEXT_FIELDS = ("keywords", "query", "address", "origin", "destination", "city", "region", "location")
_SUFFIXES = ("店", "附近", "(总店)", "周边")


def changed_radius(chance: random.Random, call: Mapping[str, Any]) -> Arguments | None:
    """Another radius or width of a corridor."""
    if "radius_km" in call:
        return {**call, "radius_km": chance.choice((0.8, 1.0, 1.5, 2.5, 3.0, 5.0, 6.0, 15.0))}
    if "route_range" in call:
        return {**call, "route_range": chance.choice((300, 800, 1500, 3000))}
    return None


def added_suffix(chance: random.Random, call: Mapping[str, Any]) -> Arguments | None:
    """A suffix on one of the texts: 市 on a city, 店, 附近, (总店) or 周边 on anything else."""
    fields = [name for name in _TEXT_FIELDS if name in call and not _is_point(call[name])]
    if not fields:
        return None
    field = chance.choice(fields)
    suffix = "市" if call[field] in CITIES else chance.choice(_SUFFIXES)
    return {**call, field: call[field] + suffix}


def reordered_words(chance: random.Random, call: Mapping[str, Any]) -> Arguments | None:
    """The words of one text in another order; a branch in brackets counts as a word."""
    parts = {
        name: words
        for name in _TEXT_FIELDS
        if name in call
        and not _is_point(call[name])
        and len(words := call[name].replace("(", " ").replace(")", " ").split()) > 1
    }
    if not parts:
        return None
    field = chance.choice(list(parts))
    words = parts[field]
    turned = words[1:] + words[:1] if len(words) == 2 else chance.sample(words, len(words))
    return {**call, field: " ".join(turned)}


def moved_50_m(chance: random.Random, call: Mapping[str, Any]) -> Arguments | None:
    """Every coordinate 50 m off, each in its own direction."""
    points = [name for name in _TEXT_FIELDS if name in call and _is_point(call[name])]
    shifted = {}
    for name in points:
        lon, lat = map(float, call[name].split(","))
        shifted[name] = ",".join(f"{degree:.6f}" for degree in moved_point(chance, lon, lat, 50))
    return {**call, **shifted} if points else None


def neighbouring_date(chance: random.Random, call: Mapping[str, Any]) -> Arguments | None:
    """The day before or after."""
    if "date" not in call:
        return None
    day = date.fromisoformat(call["date"]) + timedelta(chance.choice((-1, 1)))
    return {**call, "date": day.isoformat()}


def _is_point(text: str) -> bool:
    return text[:1].isdigit() and "," in text


CHANGES: dict[str, Change] = {
    "changed radius": changed_radius,
    "added suffix": added_suffix,
    "reordered words": reordered_words,
    "moved 50 m": moved_50_m,
    "neighbouring date": neighbouring_date,
}
