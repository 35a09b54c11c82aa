"""What the request itself says: where from, where to, how long, how many."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from benchmark.suites.grouptravel.view import GroupView
from benchmark.text import guarded
from benchmark.text.lengths import LONGEST_REPLY
from benchmark.text.numerals import english
from benchmark.text.numerals.chinese import NUMBER, read_number

_DAYS = guarded.compile(rf"({NUMBER})\s*(?:天|日游|日(?!期))|\b(\d+)[ -]days?\b", guarded.IGNORECASE)
_NIGHTS = guarded.compile(rf"({NUMBER})\s*[晚夜]|\b(\d+)[ -]nights?\b", guarded.IGNORECASE)
_HEADS = guarded.compile(
    rf"({NUMBER})\s*(?:个|名|位|口)?\s*(?:大人|成人|人|口之家)|\b(\d+)\s*(?:people|persons|travell?ers)\b",
    guarded.IGNORECASE,
)
_DEPARTURE = guarded.compile(
    r"(?:出发城市|出发地|出发点|departure(?: city)?)\s*[:：是为]?\s*([^\s；;，,。|]+)", guarded.IGNORECASE
)
_FROM = guarded.compile(r"从\s*([^\s；;，,。|去到出]{2,12}?)\s*(?:出发|去|到|飞)")
_AND = guarded.compile(r"[、/+]|(?<!呼)和(?![田龙县平静布顺政硕])|与|\band\b")
_GLOSS = guarded.compile(r"([A-Z][A-Za-z'’-]+(?: [A-Z][A-Za-z'’-]+)*)\s*[(（]([\u4e00-\u9fff]+)[)）]")
_EN_NUMBER = english.NUMBER
_EN_DAYS = guarded.compile(rf"({_EN_NUMBER})[\s-]*days?\b", guarded.IGNORECASE)
_EN_NIGHTS = guarded.compile(rf"({_EN_NUMBER})[\s-]*nights?\b", guarded.IGNORECASE)
_EN_HEADS = guarded.compile(
    rf"({_EN_NUMBER})\s*(?:adults|people|persons|travell?ers|friends|of us)\b"
    rf"|\b(?:for|group of|family of)\s+({_EN_NUMBER})\b(?!\s*(?:days?|nights?|-))",
    guarded.IGNORECASE,
)
_EN_DEPARTURE = guarded.compile(
    r"(?:\b[Dd]eparture (?:city|from)\s*:?|\b[Dd]eparting from|\b[Ss]tarting from|\bfrom)\s+"
    r"([\u4e00-\u9fff]+|[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*)"
)
_EN_NAME = r"(?:[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*|[\u4e00-\u9fff]+)"
_EN_TO = guarded.compile(
    r"\b(?:[Tt]o|[Ii]n|[Vv]isit(?:ing)?|[Tt]hrough|[Aa]round|[Aa]cross)\s+"
    rf"({_EN_NAME}(?:\s*(?:,|/|、|&|\band\b|,\s*and\b)\s*{_EN_NAME})*)"
)
_PLACE = guarded.compile(r"^(?:去|到|游|玩|在)?([\u4e00-\u9fff]{2,12}?(?:市|县|区|州|盟|地区)?)$")


@dataclass(frozen=True, slots=True)
class Brief:
    """The trip before anybody has said a word.

    cities: destinations as the request writes them, in its order. days: at least 1. head_count: everybody,
    young children included. companions: names of the travellers without a preference table. glosses: other names of
    places that the texts give, each with the name in the data: Suzhou (苏州市).
    """

    departure_city: str
    cities: tuple[str, ...]
    days: int
    start: date
    head_count: int
    companions: tuple[str, ...]
    language: str
    glosses: tuple[tuple[str, str], ...] = ()


def read_brief(view: GroupView) -> Brief:
    """The brief of a view's query, context and date; what the texts leave out is taken from the group."""
    view = replace(view, query=view.query[:LONGEST_REPLY], context=view.context[:LONGEST_REPLY])
    return _english(view) if view.language == "en" else _chinese(view)


def _english(view: GroupView) -> Brief:
    """Glossed places count by the name in brackets, so that tables and tools find them."""
    called = tuple(dict.fromkeys(_GLOSS.findall(f"{view.query} {view.context}")))
    query, context = _GLOSS.sub(r"\2", view.query), _GLOSS.sub(r"\2", view.context)
    heads, days, nights = (_count(pattern, query) for pattern in (_EN_HEADS, _EN_DAYS, _EN_NIGHTS))
    departure = _EN_DEPARTURE.search(context) or _EN_DEPARTURE.search(query)
    origin = departure.group(1) if departure else ""
    return Brief(
        departure_city=origin,
        cities=tuple(city for city in _destinations(query) if city != origin),
        days=max(1, days or nights + 1),
        start=date.fromisoformat(view.time.strip()[:10]),
        head_count=max(heads, len(view.travellers) + len(view.companions)),
        companions=tuple(companion.name for companion in view.companions),
        language=view.language,
        glosses=called,
    )


def _count(pattern: guarded.Pattern, text: str) -> int:
    match = pattern.search(text)
    return int(english.read_number(next(group for group in match.groups() if group)) or 0) if match else 0


def _destinations(query: str) -> tuple[str, ...]:
    """The places after `to`, `in`, `visiting`; else the list that the query begins with."""
    match = _EN_TO.search(query)
    text = match.group(1) if match else guarded.split(r"[;.|\d]", query, maxsplit=1)[0]
    parts = (part.strip() for part in guarded.split(r"\s*(?:,|/|、|&|\band\b)\s*", text))
    return tuple(part for part in parts if guarded.fullmatch(r"[\u4e00-\u9fff]+|[A-Z][\w'’ -]*", part))


def _chinese(view: GroupView) -> Brief:
    heads = _first(_HEADS, view.query)
    return Brief(
        departure_city=_departure(view),
        cities=_cities(view.query),
        days=max(1, _first(_DAYS, view.query) or _first(_NIGHTS, view.query) + 1),
        start=date.fromisoformat(view.time.strip()[:10]),
        head_count=max(heads, len(view.travellers) + len(view.companions)),
        companions=tuple(companion.name for companion in view.companions),
        language=view.language,
    )


def _first(pattern: guarded.Pattern, text: str) -> int:
    match = pattern.search(text)
    return int(read_number(next(group for group in match.groups() if group)) or 0) if match else 0


def _departure(view: GroupView) -> str:
    match = _DEPARTURE.search(view.context) or _FROM.search(view.context) or _FROM.search(view.query)
    return match.group(1) if match else ""


def _cities(query: str) -> tuple[str, ...]:
    """The leading list of the query: parts joined by 、 up to the first comma or number of days."""
    head = guarded.split(r"[，,；;。|]", _FROM.sub("", query).strip(), maxsplit=1)[0]
    head = guarded.split(rf"{NUMBER}\s*(?:天|日|晚|夜|人|days?)", head, maxsplit=1)[0]
    parts = (part.strip() for part in _AND.split(head))
    matches = [(_PLACE.match(part), part) for part in parts if part]
    return tuple(match.group(1) if match else part for match, part in matches)
