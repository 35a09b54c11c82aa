"""Names of places in a text: where a way begins and ends, and beside what something is looked for."""

from __future__ import annotations

from benchmark.suites.travelbench.agent.lexicon import CITIES_EN, NEXT_TO, PLACES_EN
from benchmark.text import guarded

_NAME = r"[^从到去离，。！？,!?\s]{2,25}?"
_STOP = (
    r"(?=怎么|多远|多久|多长|有多|要多|几分钟|坐|开车|骑|打车|走路|步行|的路|顺路|路上|沿途|顺便|哪|吧|呢|了|啊"
    r"|[，。！？,!?\s]|$)"
)
_FROM_TO = guarded.compile(rf"从(?P<start>{_NAME})(?:到|去|前往|往)(?P<end>{_NAME}){_STOP}")
_DISTANCE_QUESTION = guarded.compile(rf"(?P<start>{_NAME})(?:离|距离|距|到)(?P<end>{_NAME})有?多远")
_TO = guarded.compile(rf"(?:去|导航到|导航至|到|前往|上)(?P<end>{_NAME}){_STOP}")
_ROUTE_EN = guarded.compile(
    r"\bfrom (?P<start>.+?) to (?P<end>.+?)(?= by | on |[?.,!]| please|$)", guarded.IGNORECASE
)
_TO_EN = guarded.compile(
    r"(?:\b(?:get|go|way|directions?|route) to|how far is(?: it to)?|how long to) (?P<end>.+?)"
    r"(?= by | from |[?.,!]|$)",
    guarded.IGNORECASE,
)
_NEXT_TO_PLACE = guarded.compile(rf"(?P<name>[^，。！？,!?\s]{{1,20}}?)(?:{NEXT_TO})")
_NEAREST_TO = guarded.compile(r"离(?P<name>[^，。！？,!?\s]{2,20}?)(?:最近|近)")
_BESIDE_EN = guarded.compile(
    r"\b(?:near|around|close to|not far from|next to) (?P<name>[^,.?!\n]{2,40})", guarded.IGNORECASE
)
_AT = guarded.compile(r"在(?P<name>[^在，。！？,!?\s]{2,15}?)(?=附近|这|那|[，。！？,!?\s]|我|他|她|两|想|$)")
_SUBJECT = guarded.compile(
    r"(?P<name>[^，。！？,!?\s]{2,20}?)(?:今天|明天|周.|礼拜.)?(?:几点|的?营业时间|的?开放时间|关门|开不开)"
    r"|(?:opening hours of|when (?:does|is)) (?P<en>.+?)(?= open| close|[?.,!]|$)",
    guarded.IGNORECASE,
)
_BEFORE = guarded.compile(
    r"^(?:(?:帮我|给我|请问|请|麻烦|查一下|查|看一下|看|搜索|搜一下|搜|找一下|找个|找|一下|我们|我|咱们|想|要|在|到|去|离|呃|嗯|诶|哎"
    r"|这个|那个|这|那|今晚|今天|明天|晚上|中午|一家三口|住一晚|住|之后|有|的)+)"
)
_TRAILING_WORDS = guarded.compile(
    r"(?:开车|骑车|骑行|走路|步行|坐地铁|坐公交|坐车|打车|驾车|自驾|走|的|了|那边|附近|一带|and so on)+$"
)
_STATION_EN = guarded.compile(
    r"^(?P<city>[a-z']+)(?: (?P<side>south|north|east|west))?(?: railway| train)? station$",
    guarded.IGNORECASE,
)
_SIDES = {"south": "南", "north": "北", "east": "东", "west": "西"}
_NOBODY = frozenset(
    {
        "",
        "这",
        "这里",
        "那",
        "那里",
        "我",
        "当前",
        "当前位置",
        "当前位置（",
        "此",
        "地铁",
        "公交",
        "here",
        "me",
        "us",
    }
)


def ends_in(words: str) -> tuple[str, str]:
    """Where a way begins, "" for where the user is, and where it ends; two times "" where no way is spoken of."""
    for pattern in (_FROM_TO, _ROUTE_EN, _DISTANCE_QUESTION):
        if match := pattern.search(words):
            return place_name(match["start"]), place_name(match["end"])
    for pattern in (_TO, _TO_EN):
        ends = [name for match in pattern.finditer(words) if (name := place_name(match["end"]))]
        if ends:
            return "", ends[-1] if pattern is _TO else ends[0]
    return "", ""


def anchor_in(words: str) -> str:
    """The place near which something is looked for, "" for where the user is."""
    for pattern in (_NEAREST_TO, _NEXT_TO_PLACE, _BESIDE_EN):
        for match in pattern.finditer(words):
            if name := place_name(match["name"]):
                return name
    return ""


def two_anchors(words: str) -> tuple[str, ...]:
    """Where those are who want to meet."""
    return tuple(name for match in _AT.finditer(words) if (name := place_name(match["name"])))


def subject_in(words: str) -> str:
    """The place whose hours are asked for."""
    match = _SUBJECT.search(words)
    return place_name(match["name"] or match["en"] or "") if match else ""


def place_name(text: str) -> str:
    """A place's name without the words around it, in Chinese where it has a known one; "" for where one is."""
    bare = _TRAILING_WORDS.sub("", _BEFORE.sub("", text.strip(" \"'“”")))
    bare = bare.removeprefix("the ").removeprefix("The ")
    if bare in _NOBODY:
        return ""
    lower = bare.lower()
    if lower in PLACES_EN or f"the {lower}" in PLACES_EN:
        return PLACES_EN.get(lower) or PLACES_EN[f"the {lower}"]
    if (station := _STATION_EN.match(bare)) and station["city"].lower() in CITIES_EN:
        return f"{CITIES_EN[station['city'].lower()]}{_SIDES.get((station['side'] or '').lower(), '')}站"
    return CITIES_EN.get(lower, bare)
