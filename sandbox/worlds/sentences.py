"""What `web_search` can say about a world, put into sentences from its own records."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from sandbox.worlds.records import Fact, OpeningHours, Place, Service

_WEEKDAYS = "一二三四五六日"
_MOST_LISTED = 10

_SIGHT_WORDS = ("景点", "必去", "攻略", "推荐", "好玩", "玩什么")
_FOOD_WORDS = ("美食", "特色菜", "餐厅", "推荐", "好吃", "吃什么", "吃啥")


def attraction_fact(place: Place) -> Fact:
    """Ticket, hours, length of a visit and rating of an attraction, as far as they are known."""
    parts = [
        f"{place.name}位于{place.city}，类型：{'、'.join(place.categories or (place.category,))}",
        place.description.rstrip("。"),
        _ticket(place.price),
        hours_text(place.opening_hours),
        f"建议游览{place.stay_hours[0]:g}至{place.stay_hours[1]:g}小时" if place.stay_hours else "",
        f"评分{place.rating:g}" if place.rating is not None else "",
    ]
    keywords = (place.name, place.city, "门票", "开放时间", *place.categories)
    return Fact(city=place.city, title=place.name, text=_sentence(parts), keywords=keywords)


def restaurant_fact(place: Place) -> Fact:
    """Cuisine, price, hours and recommended dishes of a restaurant."""
    parts = [
        f"{place.name}是{place.city}的餐厅，菜系：{place.category or '不详'}",
        place.description.rstrip("。"),
        f"人均{place.price:g}元" if place.price is not None else "",
        hours_text(place.opening_hours),
        f"推荐菜：{'、'.join(place.dishes)}" if place.dishes else "",
    ]
    keywords = (place.name, place.city, "推荐菜", place.category, *place.dishes)
    return Fact(city=place.city, title=place.name, text=_sentence(parts), keywords=keywords)


def overview_facts(city: str, places: Iterable[Place]) -> Iterator[Fact]:
    """The best known attractions of a city, and its most usual cuisines with a restaurant for each."""
    known = sorted(places, key=lambda place: (-place.popularity, place.id))
    sights = [place.name for place in known if place.kind == "attraction"][:_MOST_LISTED]
    if sights:
        text = f"{city}知名的景点有：{'、'.join(sights)}。"
        yield Fact(city=city, title=f"{city}必去景点", text=text, keywords=(city, *_SIGHT_WORDS))
    cuisines: dict[str, list[str]] = defaultdict(list)
    for place in known:
        if place.kind == "restaurant" and place.category:
            cuisines[place.category].append(place.name)
    usual = sorted(cuisines, key=lambda cuisine: -len(cuisines[cuisine]))[:_MOST_LISTED]
    if usual:
        text = (
            f"{city}常见的菜系和餐厅："
            + "；".join(f"{name}（如{cuisines[name][0]}）" for name in usual)
            + "。"
        )
        yield Fact(city=city, title=f"{city}美食推荐", text=text, keywords=(city, *_FOOD_WORDS))


def journey_facts(services: Iterable[Service]) -> Iterator[Fact]:
    """One fact for each ordered pair of cities: modes, how many a day, the fastest and the cheapest."""
    pairs: dict[tuple[str, str], dict[str, list[Service]]] = defaultdict(lambda: defaultdict(list))
    for service in services:
        pairs[service.origin_city, service.destination_city][service.mode].append(service)
    for (origin, destination), modes in pairs.items():
        text = f"从{origin}到{destination}：" + "；".join(
            f"{mode}每天{len(runs)}班，最快{_duration(min(run.duration_minutes for run in runs))}，"
            f"最低{min(run.price for run in runs):g}元"
            for mode, runs in modes.items()
        )
        keywords = (origin, destination, "交通", "怎么去", *modes)
        yield Fact(city=origin, title=f"{origin}到{destination}的交通", text=f"{text}。", keywords=keywords)


def hours_text(hours: OpeningHours | None) -> str:
    """Opening hours in words; empty when unknown."""
    if hours is None:
        return ""
    if hours.always_open:
        return "全天开放"
    rules = []
    for rule in hours.rules:
        season = f"{rule.date_range.start}至{rule.date_range.end} " if rule.date_range else ""
        closed = "".join(_WEEKDAYS[day - 1] for day in range(1, 8) if day not in rule.weekdays)
        if not rule.weekdays:
            rules.append(season + "不开放")
            continue
        windows = "、".join(f"{window.open}-{window.close}" for window in rule.time_windows)
        rules.append(season + windows + (f"（周{'、周'.join(closed)}闭馆）" if closed else ""))
    return "开放时间：" + "，".join(rules) if rules else ""


def _ticket(price: float | None) -> str:
    if price is None:
        return ""
    return f"门票{price:g}元" if price else "免费"


def _duration(minutes: int) -> str:
    hours, rest = divmod(minutes, 60)
    return f"{hours}小时{rest}分" if hours else f"{rest}分钟"


def _sentence(parts: list[str]) -> str:
    return "；".join(part for part in parts if part) + "。"
