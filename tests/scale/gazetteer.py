"""Forty cities at their real positions, with invented places: what the synthetic calls are about."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from typing import Any

PLACES_PER_TOWN = 1_500

Entry = dict[str, Any]
"""A place with the fields of the tools' `Poi`."""


def words(text: str) -> tuple[str, ...]:
    """The words of a text."""
    return tuple(text.split())


_TOWNS = """北京 116.4074 39.9042, 上海 121.4737 31.2304, 成都 104.0665 30.5728, 杭州 120.1551 30.2741,
西安 108.9398 34.3416, 重庆 106.5516 29.5630, 广州 113.2644 23.1291, 南京 118.7969 32.0603, 苏州 120.5853 31.2989,
深圳 114.0579 22.5431, 武汉 114.3055 30.5931, 长沙 112.9388 28.2282, 厦门 118.0894 24.4798, 青岛 120.3826 36.0671,
三亚 109.5119 18.2528, 昆明 102.8329 24.8801, 大理 100.2676 25.6065, 丽江 100.2330 26.8721, 桂林 110.2902 25.2736,
哈尔滨 126.5350 45.8038, 天津 117.2010 39.0842, 洛阳 112.4540 34.6197, 郑州 113.6254 34.7466, 济南 117.1201 36.6512,
大连 121.6147 38.9140, 沈阳 123.4315 41.8057, 贵阳 106.6302 26.6477, 南宁 108.3669 22.8170, 福州 119.2965 26.0745,
泉州 118.6757 24.8741, 合肥 117.2272 31.8206, 黄山 118.3375 29.7147, 南昌 115.8579 28.6820, 无锡 120.3119 31.4912,
宁波 121.5440 29.8683, 扬州 119.4127 32.3942, 兰州 103.8343 36.0611, 敦煌 94.6618 40.1421, 拉萨 91.1409 29.6456,
张家界 110.4792 29.1171"""
_DISTRICTS = (
    "城东区",
    "城西区",
    "城南区",
    "城北区",
    "高新区",
    "新城区",
    "滨湖区",
    "江北区",
    "开发区",
    "老城区",
)
_ROADS = words("人民 解放 中山 建设 和平 延安 文化 新华 滨江 学院 东风 胜利 长江 黄河 公园 环城")
_BRANDS = "老王小张福德兴隆聚宝海天龙凤云山水花春秋金银玉石东西南北中大和平安乐陈李蜀湘鲁江城悦锦"
_FOOD = words(
    "火锅 川菜 粤菜 湘菜 本帮菜 江浙菜 东北菜 清真菜 素食 面馆 小吃 烤鸭 烧烤 海鲜 日本料理 韩国料理 西餐 自助餐 "
    "咖啡厅 奶茶 甜品 早茶 小龙虾 串串香 酸菜鱼"
)
_SIGHTS = words("博物馆 公园 寺庙 园林 古镇 动物园 植物园 历史古迹 美术馆 游乐园 步行街 湖泊 山岳 海滩")
_HOTELS = words("经济型酒店 豪华酒店 民宿 商务酒店 快捷酒店 公寓式酒店 度假酒店 青年旅舍")
_LANDMARKS = words("商场 广场 火车站 地铁站 医院 停车场")
_KINDS = {"restaurant": _FOOD, "attraction": _SIGHTS, "hotel": _HOTELS, "landmark": _LANDMARKS}
_SHARES = (55, 20, 18, 7)
CATEGORIES = (*_FOOD, *_SIGHTS, *_HOTELS, *_LANDMARKS)
_HOURS = (None, None, "10:00-22:00", "11:00-14:00, 17:00-21:30", "09:00-17:00", "周二至周日 09:00-17:00",
          "08:30-17:30（其他日期不同）", "全天开放", "04-01~10-31 07:00-18:30（其他日期不同）")  # fmt: skip
_STAYS = {"restaurant": (1.0, 1.5), "attraction": (1.5, 3.0)}
_PRICES = {"restaurant": (15, 400), "attraction": (0, 240), "hotel": (80, 900)}
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SPREAD = 0.08
"""Degrees around the centre of a city, one standard deviation."""


@dataclass(slots=True)
class Town:
    """A city and its places. name: without 市."""

    name: str
    longitude: float
    latitude: float
    places: list[Entry] = field(default_factory=list)
    by_category: dict[str, list[Entry]] = field(default_factory=lambda: defaultdict(list))

    def page(self, chance: random.Random, category: str, count: int) -> list[Entry]:
        """Up to `count` different places, of the category where the city has it."""
        among = self.by_category.get(category) or self.places
        start = chance.randrange(len(among))
        return (among[start:] + among[:start])[:count]


class Gazetteer:
    """The same for a seed on every machine; a few cities are asked about more than the rest."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(f"{seed}/places")
        self.towns = [_town(line) for line in _TOWNS.replace("\n", " ").split(", ")]
        self.places: list[Entry] = []
        for number in range(len(self.towns) * PLACES_PER_TOWN):
            self._settle(chance, number)
        self._weights = list(accumulate(1 / (rank + 3) for rank in range(len(self.towns))))

    def town(self, chance: random.Random) -> Town:
        """One city, the better known more often."""
        return chance.choices(self.towns, cum_weights=self._weights)[0]

    def pair(self, chance: random.Random) -> tuple[Town, Town]:
        """Two different cities."""
        origin, destination = self.town(chance), self.town(chance)
        return (origin, destination) if origin is not destination else self.pair(chance)

    def _settle(self, chance: random.Random, number: int) -> None:
        town = self.towns[number % len(self.towns)]
        place = _place(chance, town, number)
        self.places.append(place)
        town.places.append(place)
        town.by_category[place["category"]].append(place)


@lru_cache(maxsize=2)
def gazetteer(seed: int) -> Gazetteer:
    """The gazetteer of a seed; the last two stay in memory."""
    return Gazetteer(seed)


def _town(line: str) -> Town:
    name, longitude, latitude = line.split()
    return Town(name, float(longitude), float(latitude))


def _place(chance: random.Random, town: Town, number: int) -> Entry:
    kind = chance.choices(list(_KINDS), _SHARES)[0]
    category, road = chance.choice(_KINDS[kind]), chance.choice(_ROADS)
    low, high = _PRICES.get(kind, (0, 0))
    longitude, latitude = chance.gauss(town.longitude, _SPREAD), chance.gauss(town.latitude, _SPREAD)
    return {
        "id": _identity(number),
        "name": _name(chance, kind, category, road),
        "kind": kind,
        "category": category,
        "city": f"{town.name}市",
        "address": _address(chance, road),
        "location": f"{longitude:.6f},{latitude:.6f}",
        "distance_m": None,
        "rating": round(chance.uniform(3, 5), 1),
        "review_count": None,
        "price": float(chance.randrange(low, high)) if high else None,
        "opening_hours": chance.choice(_HOURS),
        "stay_hours": _STAYS.get(kind),
    }


def _name(chance: random.Random, kind: str, category: str, road: str) -> str:
    brand = "".join(chance.choices(_BRANDS, k=3))
    return f"{brand}{category}" + (f"（{road}路店）" if kind in ("restaurant", "hotel") else "")


def _address(chance: random.Random, road: str) -> str:
    street = f"{chance.choice(_DISTRICTS)}{road}路{chance.randrange(1, 900)}号"
    mall = (
        f"{''.join(chance.choices(_BRANDS, k=2))}广场{chance.randint(1, 6)}层{chance.randrange(101, 140)}室"
    )
    return street + (mall if chance.random() < 0.5 else "")


def _identity(number: int) -> str:
    """B and nine letters or digits, which no two numbers share: the factor is odd and no multiple of three."""
    left, text = number * 48_271_000_003 % 36**9, ""
    for _ in range(9):
        left, digit = divmod(left, 36)
        text += _DIGITS[digit]
    return f"B{text}"
