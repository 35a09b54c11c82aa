"""How long a visit takes: what the world suggests, within what is sensible for the kind of sight."""

from __future__ import annotations

from dataclasses import dataclass

from benchmark.suites.grouptravel.agent.planning.knowledge import Place
from benchmark.text import guarded

USUAL_STAY = (90, 150)


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
    kind = _kind(place)
    low, high = USUAL_STAY
    if place.stay_hours is not None:
        low, high = (round(hours * 12) * 5 for hours in place.stay_hours)
    shortest = min(max(low, kind.least), kind.most)
    return shortest, min(max(high, shortest), kind.most)


def _kind(place: Place) -> Length:
    name = guarded.sub(r"[(（][^()（）]*[)）]$", "", place.name).strip()
    found = next((kind for kind in _KINDS if kind.name.search(name)), None)
    return found or (_AMUSEMENT if _AMUSEMENT.name.search(place.category) else _OTHER)
